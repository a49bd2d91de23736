"""Asks the guardrail of LiteLLM itself: for each case of a file a line of JSON with what becomes of it."""

import asyncio
import json
import sys
from pathlib import Path

from litellm.exceptions import GuardrailRaisedException
from litellm.proxy.guardrails.guardrail_hooks.generic_guardrail_api.generic_guardrail_api import (
    GenericGuardrailAPI,
)


async def outcome(case):
    guardrail = GenericGuardrailAPI(guardrail_name="parapet", **case["options"])
    try:
        inputs = await guardrail.apply_guardrail(
            inputs=case["inputs"],
            request_data={"metadata": {"user_api_key_user_email": "PLANTED@example.org"}},
            input_type=case.get("input_type", "request"),
        )
        return {"through": inputs}
    except GuardrailRaisedException as error:
        return {"blocked": error.message}
    except Exception as error:
        return {"failed": str(error)}


async def main():
    for case in json.loads(Path(sys.argv[1]).read_text()):
        print(json.dumps(await outcome(case)))


asyncio.run(main())
