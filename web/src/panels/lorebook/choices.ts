import type { AiContextLevel, InsertionPosition } from "../../client/rest";
import { NODE_TYPES } from "../../design/NodeMark";

export const CATEGORIES = NODE_TYPES;
export const LEVELS: readonly AiContextLevel[] = ["always", "when_detected", "manual_only", "never"];
export const POSITIONS: readonly InsertionPosition[] = ["system_prompt", "before_scene", "after_scene"];
