"""Operations on events."""
