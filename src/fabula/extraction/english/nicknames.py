"""Short and pet forms of given names, English, and of the Russian and French names of translated novels."""

from __future__ import annotations

_TABLE = """
    Alexander: Alec Alex Sandy Sasha
    Alexandra: Sasha
    Alexey: Alyosha Aliosha Alexei
    Alfred: Alf Fred
    Ann: Annie Nancy Nan Annushka
    Anna: Annie Annushka Anya
    Anne: Annie Nancy Nan
    Anthony: Tony
    Arthur: Artie
    Augustus: Gus
    Avdotya: Dunya Dounia
    Barbara: Babs Varya
    Benjamin: Ben Benny
    Caroline: Caddy Carrie
    Catherine: Kate Kitty Cathy Katy Kitten
    Charles: Charley Charlie
    Charlotte: Lottie Charley
    Christopher: Kit Chris
    Clara: Clary
    Daniel: Dan Danny
    Darya: Dolly Dasha
    David: Davy Dave
    Dmitri: Mitya
    Dorothea: Dolly Dora Dot
    Dorothy: Dolly Dora Dot
    Edmund: Ned Ted
    Edward: Ned Ted Teddy Eddy
    Ekaterina: Kitty Katya Katia
    Eleanor: Nell Nellie Nora
    Elizabeth: Betsy Bess Bessie Beth Betty Eliza Lizzy Lizzie Liza Lisa Lily
    Ellen: Nell Nellie Nelly
    Emily: Em Emmy
    Ferdinand: Ferdy
    Frances: Fanny
    Francis: Frank
    Frederick: Fred Freddy
    George: Georgy Georgie
    Gregory: Grisha Greg
    Grigory: Grisha
    Harriet: Hattie Harry
    Helen: Nell Nellie
    Henry: Harry Hal
    Huckleberry: Huck
    Isabella: Bella
    Ivan: Vanya
    Jacob: Jake
    James: Jim Jimmy Jem
    Jane: Jenny Janet
    Jeremiah: Jerry
    John: Jack Johnny Jock
    Jonathan: Jon
    Joseph: Joe Joey
    Josephine: Jo Josy
    Joshua: Josh
    Judith: Judy
    Julia: Julie
    Katherine: Kate Kitty Katy
    Konstantin: Kostya
    Laurence: Laurie
    Lawrence: Larry
    Lucy: Lu
    Margaret: Maggie Meg Peggy Daisy Madge
    Maria: Marya
    Martha: Patty Matty
    Mary: Molly Polly May
    Marya: Masha Mariette
    Matilda: Tilly Matty
    Matthew: Matt
    Michael: Mick Mike
    Mihail: Misha Mishka
    Nathaniel: Nat
    Natalia: Natasha Natalie
    Nicholas: Nick
    Nikolay: Nikolinka Nikolenka Kolya
    Oliver: Noll
    Patrick: Pat Paddy
    Peter: Pete
    Philip: Pip
    Praskovya: Pasha
    Rebecca: Becky
    Richard: Dick Rick
    Robert: Bob Bobby Rob Robin Bert
    Rodion: Rodya
    Roger: Hodge
    Samuel: Sam Sammy
    Sarah: Sally Sadie
    Semyon: Syoma
    Sergey: Seryozha Serezha
    Sergei: Seryozha Serezha
    Sidney: Sid Syd
    Sofya: Sonia Sonya
    Sophia: Sophy
    Stepan: Stiva Styopa
    Stephen: Steve
    Susan: Sue Suky Susy
    Tatyana: Tanya
    Tatiana: Tanya
    Theodore: Theo Ted
    Thomas: Tom Tommy
    Timothy: Tim
    Tobias: Toby
    Vassily: Vassenka Vasya
    Victoria: Vicky
    Walter: Wat Wally
    Wilhelmina: Mina Minnie
    William: Bill Billy Will Willie Willy
    Winifred: Winnie
"""

FULL_NAMES: dict[str, frozenset[str]] = {}
for _line in _TABLE.split("\n"):
    _full, _, _short = _line.strip().partition(": ")
    for _nickname in _short.split():
        FULL_NAMES[_nickname] = FULL_NAMES.get(_nickname, frozenset()) | {_full}
