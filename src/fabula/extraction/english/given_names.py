"""Given names of men and of women, English, French, German, Italian and Russian."""

from __future__ import annotations

from fabula.extraction.wordlist import word_set

_WOMEN = word_set("""
    Abigail Ada Adela Adelaide Adele Adeline Adèle Agatha Agnes Alexandra Alice Aline Alma Amalia Amanda
    Amelia Amélie Amy Anastasia Angela Angelica Angélique Anita Ann Anna Annabel Anne Annette Annie
    Antoinette Antonia Arabella Ariadne Audrey Augusta Avdotya Barbara Beatrice Beatrix Becky Bella
    Berthe Bertha Bess Bessie Beth Betsy Betty Bianca Blanche Bridget Camilla Camille Candida Carla
    Carlotta Carmen Caroline Carrie Caterina Catherine Cathy Cecilia Cecily Celeste Celia Charlotte
    Chloe Christina Christine Clara Clarissa Clementina Clémence Clotilde Constance Constantia Cora
    Cordelia Cornelia Cynthia Daisy Darya Deborah Delia Denise Diana Dinah Dolly Dora Dorothea Dorothy
    Edith Effie Eileen Ekaterina Elaine Eleanor Elena Elinor Elisa Elise Eliza Elizabeth Ella Ellen Elsa
    Elsie Emilia Emily Emma Emmeline Enid Esther Ethel Eugenia Eugénie Eulalia Eunice Eva Eve Evelina
    Fanny Felicia Fiona Flora Florence Frances Francesca Françoise Frederica Gabrielle Genevieve
    Geneviève Georgiana Georgina Germaine Gertrude Gladys Grace Greta Gretchen Gwendolen Hannah Harriet
    Hazel Helen Helena Hélène Henrietta Henriette Hermione Hester Hilda Honoria Ida Imogen Irene Iris
    Isabel Isabella Jane Janet Jeanne Jemima Jennie Jenny Jessica Jessie Joan Joanna Josephine Joséphine
    Joyce Judith Julia Juliana Julie Juliet Juliette Karen Kate Katharine Katherine Kathleen Katie Katya
    Kitty Laura Laurine Lavinia Leonora Letitia Lidia Lilian Lily Linda Lisa Liza Lizaveta Lizzie Lizzy
    Lois Lola Lotte Louisa Louise Lucia Lucie Lucille Lucinda Lucrezia Lucy Lydia Mabel Madeleine Madge
    Maggie Marcella Margaret Margarita Margot Marguerite Maria Marian Marianne Marie Marina Marion
    Marjorie Martha Marthe Mary Marya Masha Mathilde Matilda Maud May Melissa Mercy Mildred Millie Minna
    Minnie Miranda Miriam Mollie Molly Monica Muriel Myra Myrtle Nadia Nancy Naomi Natalia Natalie
    Natasha Nell Nellie Nelly Nina Nora Norah Olga Olive Olivia Ophelia Pamela Patience Patricia Paula
    Pauline Peggy Penelope Phoebe Phyllis Polly Priscilla Prudence Rachel Rebecca Rhoda Rosa Rosalie
    Rosalind Rosamond Rose Rosina Ruth Sally Sarah Selina Serena Sibyl Simone Sonia Sonya Sophia Sophie
    Stella Susan Susanna Susie Suzanne Sylvia Tamara Tanya Tatiana Tess Thelma Theodora Theresa Thérèse
    Ursula Valentina Vanessa Varvara Vera Veronica Victoria Viola Violet Virginia Virginie Vivian Wanda
    Wilhelmina Winifred Yvette Yvonne Zoe Zoé Éponine Élise Émilie
""")
_MEN = word_set("""
    Aaron Abraham Adam Adolf Adolphe Adrian Alan Albert Alec Alexander Alexandre Alexey Alexis Alfred
    Allan Alphonse Ambrose Anatole Andre Andrew Andrey André Angus Anselm Anthony Anton Antoine Antonio
    Archibald Arnold Arthur Auguste Augustus Barnaby Bartholomew Basil Benedict Benjamin Bernard
    Bertrand Boris Bruno Carl Carlo Caspar Cecil Cedric Charles Charley Charlie Christian Christopher
    Clarence Claude Clement Colin Conrad Cornelius Cuthbert Cyril Dan Daniel Dave David Dennis Desmond
    Dick Diego Dmitri Dominic Donald Douglas Duncan Ebenezer Edgar Edmond Edmund Edouard Edward Edwin
    Egbert Eli Elias Emil Emile Enoch Enrico Ephraim Eric Ernest Ernst Ethan Etienne Eugene Ezra Felix
    Ferdinand Fernand Francesco Francis Francisco François Frank Franz Fred Frederic Frederick Friedrich
    Fritz Félix Gaston Geoffrey George Georges Gerald Gerard Gideon Gilbert Giles Giovanni Giuseppe
    Godfrey Gordon Gregory Griffith Guido Guillaume Gustav Gustave Guy Hal Hans Harold Harry Hector
    Heinrich Henri Henry Herbert Herman Hermann Hilary Horace Horatio Howard Hubert Hugh Hugo Humphrey
    Ian Igor Ignatius Ilya Ira Isaac Isaiah Ivan Ivor Jack Jacob Jacques Jake James Jan Jasper Jeremiah
    Jeremy Jerome Jim Jimmy Joachim Joe Johann John Johnny Jonah Jonas Jonathan Joseph Joshua Josiah
    Juan Jules Julien Julius Justin Karl Kenneth Konstantin Lambert Lancelot Laurence Lawrence Leo Leon
    Leonard Leopold Lewis Lionel Llewellyn Louis Lucas Lucien Ludwig Luigi Luke Luther Malcolm Marcel
    Marco Mark Marmaduke Martin Matthew Maurice Max Maximilian Maxwell Michael Michel Miguel Mikhail
    Miles Montague Mordecai Morris Moses Nathan Nathaniel Ned Neil Nicholas Nicolas Nigel Nikolai
    Nikolay Noah Noel Norbert Norman Octave Oliver Oscar Oswald Otto Owen Pablo Patrick Paul Pavel Pedro
    Percival Percy Peter Phil Philip Philippe Pierre Pietro Prosper Quentin Ralph Randolph Raoul Raphael
    Raymond Reginald Reuben Rex Richard Robert Roderick Rodolphe Roger Roland Rollo Ronald Rudolf
    Rudolph Rufus Rupert Salvatore Sam Samson Samuel Saul Sebastian Septimus Sergei Sergey Seth Sidney
    Siegfried Sigismund Silas Silvester Simeon Simon Solomon Stanislas Stanley Stephen Steve Stuart
    Sylvester Ted Terence Thaddeus Theobald Theodore Theophilus Thomas Tim Timothy Titus Tobias Toby Tom
    Tommy Tony Tristram Ulysses Urban Valentine Victor Vincent Vladimir Walter Wilfred Wilfrid Wilhelm
    Will William Willie Xavier Émile Étienne
""")


def given_name_sex(name: str) -> str:
    """Whether a given name is a man's (m) or a woman's (f); empty if it is not known."""
    return "f" if name in _WOMEN else "m" if name in _MEN else ""
