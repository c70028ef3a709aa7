import { listBooksOptions } from "../../client/rest/@tanstack/react-query.gen";

/** The id of the book that every story has. */
export const OWN_BOOK = "own";

/** The lorebooks of a story, its own first. */
export const booksOptions = (storyId: string) => listBooksOptions({ path: { storyId } });
