"""The page Which pairs?"""
