"""Operations on the lorebook."""
