"""REST under `/api/v2`: bare resources, errors with their status."""
