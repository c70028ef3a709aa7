"""Programs for those who maintain Fabula; no part of the package."""
