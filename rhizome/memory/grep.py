"""Regular expressions that somebody types, searched for in time that grows with the text and no faster.

The standard library's engine tries every way of matching in turn: `(a+)+$` takes it days on forty letters, and nothing
stops it meanwhile. Rust's keeps all ways in step, and pays for that with neither look-around nor back references.
"""

from collections.abc import Callable

from pydantic_core import SchemaError, SchemaValidator
from pydantic_core.core_schema import str_schema

from rhizome.errors import Refused
from rhizome.log.importers.records import legible


def finder(pattern: str) -> Callable[[str], bool]:
    """Whether a text has `pattern` anywhere, in any case of letters; `^` and `$` are where a line begins and ends.

    Refused for what is no regular expression, or none that can be searched for in such time.
    """
    try:
        found = SchemaValidator(str_schema(pattern=f"(?im){legible(pattern)}", regex_engine="rust-regex"))
    except SchemaError as error:
        why = str(error).rpartition("rror: ")[2].splitlines()[0].rstrip(".")
        raise Refused(f"{pattern}: not a regular expression ({why})",
                      "put a backslash before signs like ( [ * +; look-around and back references are not known"
                      ) from None
    return lambda text: found.isinstance_python(legible(text))
