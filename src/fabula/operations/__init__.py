"""What can be asked, each said once: request type, response type, function. Doors loop over them."""
