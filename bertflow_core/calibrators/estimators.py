"""What calibrators take from scikit-learn.

scikit-learn imports pandas and scipy.stats for functions that no calibrator calls, and they take
longer than all the rest of it: here each is imported where something of it is first used.
"""

from bertflow_core.lazy import imported_when_used

with imported_when_used("pandas", "scipy.stats"):
    from sklearn.base import (
        BaseEstimator,
        ClassNamePrefixFeaturesOutMixin,
        OneToOneFeatureMixin,
        TransformerMixin,
        clone,
    )
    from sklearn.utils import assert_all_finite
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.validation import check_array, check_is_fitted, validate_data

__all__ = [
    "BaseEstimator",
    "ClassNamePrefixFeaturesOutMixin",
    "OneToOneFeatureMixin",
    "TransformerMixin",
    "assert_all_finite",
    "available_if",
    "check_array",
    "check_is_fitted",
    "clone",
    "validate_data",
]
