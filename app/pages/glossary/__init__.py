"""The page `Glossary`."""
