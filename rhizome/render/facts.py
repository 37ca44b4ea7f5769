"""Facts, and where words come from."""

from rhizome.render.text import SHORT, Answer, clean, line, ref, when


def fact_lines(found: Answer) -> list[str]:
    value = f" = {line(found['value'])}" if found["value"] else ""
    proof = found["evidence"][0]["event"] if found["evidence"] else found["id"]
    about = f"{found['status']}, {found['type']}, {line(found['scope'])}, confidence {found['confidence']:g}"
    lines = [
        f"{ref(proof)}: {line(found['fact_key'])}{value}  [{about}, v{found['version']}]",
        f"    {line(found['statement'])}",
        f"    observed {when(found['observed_at'])} · confirmed {when(found['last_confirmed_at'])}",
    ]
    lines += [f"    more: {line(found['detail'])}"] if found["detail"] else []
    return lines + [f"    said in {ref(each['event'])}: “{line(each['quote'])}”" for each in found["evidence"]]


def fact(found: Answer) -> list[str]:
    lines = fact_lines(found["fact"]) if found["fact"] else [f"no current fact for {line(found['key'])}"]
    if ended := found.get("ended"):
        lines[0] += f": it expired, nobody said it again after {when(ended['last_confirmed_at'])}"
        lines += fact_lines(ended)[:2]
    if found["history"]:
        lines += ["history:", *(text for past in found["history"] for text in fact_lines(past)[:3])]
    return lines


def facts(found: Answer) -> list[str]:
    return [text for one in found["facts"] for text in fact_lines(one)[:2]] or ["no facts"]


def remember(found: Answer) -> list[str]:
    told = {
        "new": "noted; the next consolidation takes it in",
        "confirmed": "it is already known; this confirms it",
        "conflicts": "noted, but it contradicts what holds now",
        "duplicate": "already proposed",
        "refused": "refused",
        "over_quota": "refused",
    }[found["outcome"]]
    why = f": {line(found['why'])}" if found.get("why") else ""
    other = f": {line(found['other'])}" if found.get("other") else ""
    return [f"{told}{why}{other}" + (f" [event {ref(found['event'])}]" if found["event"] else "")]


def why(found: Answer) -> list[str]:
    """The chain, one step a line, from the words to the turns in which they were said."""
    place = f"{clean(found['ref'])}:{found['line']}" if found["line"] else ref(found["ref"])
    lines = [f"{place}: {line(found['text'])}".rstrip(": ")]
    if commit := found["commit"]:
        who = f"{when(commit['time'])} {line(commit['author'])}"
        lines.append(f"  commit  {commit['id'][:SHORT]} {who}: {line(commit['subject'])}")
    elif found["line"]:
        lines.append("  commit  none yet; the next verb that writes makes it")
    if call := found["call"]:
        event = f" (event {ref(call['event'])}, {when(call['recorded_at'])})" if call["event"] else ""
        lines.append(f"  call    {clean(call['id'])}{event}")
    lines += scene(found["event"]) if found["event"] else []
    for each in found["facts"]:
        about, *rest = fact_lines(each["fact"])[:3]
        lines += [f"  fact    {about}", *(f"      {told}" for told in rest)]
        lines += [told for evidence in each["evidence"] for told in scene(evidence)]
    return lines


def scene(found: Answer) -> list[str]:
    """An event and the turns around it; the words that were quoted stand behind a mark."""
    if found["withheld"]:
        return [f"  event   {ref(found['event'])}: {found['withheld']}"]
    who, at = found["origin"] or found["actor"] or "unknown", found["happened_at"] or found["recorded_at"]
    said = f"{line(who)}, {when(at)}"
    session = f", {line(found['session'])} “{line(found['title'] or '')}”" if found["session"] else ""
    words = found["quote"] or (found["text"] if not found["turns"] else "")
    lines = [f"  event   {ref(found['event'])}: {said}{session}" + (f": “{line(words)}”" if words else "")]
    for turn in found["turns"]:
        for each in turn["messages"]:
            voice = line(each["tool"] or each["origin"])
            mark = ">" if each["quoted"] else " "
            lines.append(f"    {mark} {when(each['at'] or '')} {voice}: {line(each['text'])}")
    return lines


def blame(found: Answer) -> list[str]:
    """One line a line: where it stands, its commit and call, the key and event behind it, its text."""
    lines = []
    for each in found["lines"]:
        commit = f"{each['commit'][:8]} {each['time'][:10]}" if each["commit"] else f"{'-' * 8} {'uncommitted':<10}"
        event = f", event {ref(each['event'])}" if each["event"] else ""
        behind = f" [{line(each['fact_key'])}{event}]" if each["fact_key"] else ""
        call = clean(each["call"] or each["author"] or "")
        lines.append(f"{clean(found['ref'])}:{each['line']}: {commit} {call}{behind}  {line(each['text'])}".rstrip())
    return lines or [f"{clean(found['ref'])}:1: empty"]
