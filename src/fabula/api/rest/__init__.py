"""REST under `/api/v2`: plain resources, and errors with their HTTP status."""
