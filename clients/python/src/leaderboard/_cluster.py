"""Makes the cluster clients of redis-py send commands such as `LB.LEAGUE.ADD`.

Newer ones look up each command in a list of policies, and the lookup raises `ValueError` for a name with two
dots. The commands of this module are not in that list, so for them the lookup can be left out.
"""

from __future__ import annotations

from typing import Any


class _Policies:
    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def resolve(self, command_name: str) -> Any:
        """Returns the policies of a command, or `None`."""
        return None if _is_ours(command_name) else self._inner.resolve(command_name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class _AsyncPolicies(_Policies):
    async def resolve(self, command_name: str) -> Any:
        """Returns the policies of a command, or `None`."""
        return None if _is_ours(command_name) else await self._inner.resolve(command_name)


def _is_ours(command_name: str) -> bool:
    return command_name.startswith("lb.")


def admit_commands(client: Any) -> None:
    """Makes a client send all commands of the module, if it is one that looks up policies."""
    _wrap(client, _Policies)


def admit_commands_async(client: Any) -> None:
    """The same for a client of `redis.asyncio`."""
    _wrap(client, _AsyncPolicies)


def _wrap(client: Any, policies: type[_Policies]) -> None:
    inner = getattr(client, "_policy_resolver", None)
    if inner is not None and not isinstance(inner, _Policies):
        client._policy_resolver = policies(inner)
