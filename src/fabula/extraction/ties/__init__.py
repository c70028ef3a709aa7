"""What a text states about people: ties between them and facts about one of them; pure."""
