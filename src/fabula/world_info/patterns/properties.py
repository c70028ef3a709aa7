"""Unicode properties as JavaScript names them."""

from __future__ import annotations

from functools import lru_cache

import regex


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_CATEGORIES = _names(
    """
    L Lu Ll Lt LC Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc
    Cf Cs Co Cn Letter Uppercase_Letter Lowercase_Letter Titlecase_Letter Cased_Letter
    Modifier_Letter Other_Letter Mark Nonspacing_Mark Spacing_Mark Enclosing_Mark Number
    Decimal_Number Letter_Number Other_Number Punctuation Connector_Punctuation Dash_Punctuation
    Open_Punctuation Close_Punctuation Initial_Punctuation Final_Punctuation Other_Punctuation
    Symbol Math_Symbol Currency_Symbol Modifier_Symbol Other_Symbol Separator Space_Separator
    Line_Separator Paragraph_Separator Other Control Format Surrogate Private_Use Unassigned digit
    punct
    """
)
_BINARY = _names(
    """
    ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Bidi_C Bidi_Mirrored
    Bidi_M Case_Ignorable CI Cased Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM
    Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF Changes_When_Titlecased CWT
    Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia
    Emoji Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation
    EPres Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext
    Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST ID_Continue IDC ID_Start IDS
    Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE Lowercase Lower Math
    Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS Quotation_Mark
    QMark Radical Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation
    Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS White_Space space
    XID_Continue XIDC XID_Start XIDS
    """
)


def is_property(name: str) -> bool:
    """Whether JavaScript knows the property."""
    key, has_value, value = name.partition("=")
    if not has_value:
        return name in _CATEGORIES or name in _BINARY
    if key in ("General_Category", "gc"):
        return value in _CATEGORIES
    return key in ("Script", "sc", "Script_Extensions", "scx") and value[:1].isupper() and _is_known(value)


@lru_cache(maxsize=256)
def _is_known(script: str) -> bool:
    if not script.replace("_", "").isalnum():
        return False
    try:
        regex.compile(rf"\p{{Script={script}}}")
    except regex.error:
        return False
    return True


def re2_name(name: str) -> str | None:
    """The name of the property in RE2; None if it has none."""
    key, has_value, value = name.partition("=")
    if has_value and key in ("Script", "sc"):
        return value
    category = value if has_value else name
    return (
        category
        if key in ("General_Category", "gc", category) and len(category) <= 2 and category != "LC"
        else None
    )
