"""A release: version, changelog section, packages, checksums and the list of parts. Nothing is published."""
