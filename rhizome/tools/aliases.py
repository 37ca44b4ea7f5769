"""Other names for notes and subjects."""

from rhizome.memory.memory import Memory
from rhizome.tools.tool import CLEARANCE, Tool

TOOLS = (
    Tool("aliases list", "List every alias of notes and facts, and what it stands for.", Memory.aliases_list,
         (CLEARANCE,)),
    Tool(
        "aliases suggest",
        "Suggest aliases: words that were asked for in vain before a note was found otherwise.",
        Memory.aliases_suggest,
    ),
)
