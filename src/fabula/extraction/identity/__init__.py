"""Who is who: the names of a book that mean one person, and the evidence for it."""
