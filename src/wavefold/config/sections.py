"""What all sections of a configuration share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from wavefold.errors import WavefoldError

Factor = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]


class ConfigSection(BaseModel):
    """A table with fixed keys. `true` is not a number, and 1.0 is not a whole number."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class SolverSection(ConfigSection):
    """A section with the options of a part of the solver, which itself checks each value."""

    check_value: ClassVar[Callable[[str, Any], object]]

    @field_validator("*", mode="after")
    @classmethod
    def _check_accepted(cls, value: Any, info: ValidationInfo) -> Any:
        try:
            cls.check_value(str(info.field_name), value)
        except WavefoldError as error:
            raise ValueError(str(error)) from None
        return value
