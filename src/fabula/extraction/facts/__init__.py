"""What a text says about one person or thing: who they are, where they live, what becomes of them; pure."""
