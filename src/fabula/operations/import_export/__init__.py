"""Import and export of whole stories and of files of any supported kind."""
