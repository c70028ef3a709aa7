"""Operations for agents: what they read, write and check."""
