"""Pictures in notebooks and files."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt
    from sparsecells import Field, Set

    Pixels = npt.NDArray[np.uint8]


class Picture:
    """A picture in colour: `pixels` is (height, width, 3), red, green and blue from 0 to 255, top row first.

    Notebooks show it; `save` writes a PNG file. Raises ValueError for another shape or type.
    """

    def __init__(self, pixels: Pixels) -> None:
        if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
            raise ValueError(f"a picture must have the shape (height, width, 3) of uint8, not {pixels.shape} of {pixels.dtype}")
        self.pixels = pixels

    def png(self) -> bytes:
        """The bytes of a PNG file."""
        import zlib  # here, so that the import of the module stays quick

        height, width, _ = self.pixels.shape
        lines = np.zeros((height, 1 + 3 * width), np.uint8)  # the first byte of a line says that it is not filtered
        lines[:, 1:] = self.pixels.reshape(height, 3 * width)

        def chunk(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        body = zlib.compress(lines.tobytes(), 6)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a PNG file. Raises OSError with the path if it cannot be written."""
        part = f"{os.fspath(path)}.part"
        with open(part, "wb") as file:
            file.write(self.png())
        os.replace(part, path)

    def thumbnail(self, longest: int = 500) -> Picture:
        """The picture with means over squares of pixels, so that no side is longer than `longest` pixels."""
        height, width, _ = self.pixels.shape
        n = -(-max(height, width) // longest)
        if n <= 1:
            return self
        tall, wide = -(-height // n) * n, -(-width // n) * n
        padded = np.pad(self.pixels, ((0, tall - height), (0, wide - width), (0, 0)), mode="edge")
        blocks = padded.reshape(tall // n, n, wide // n, n, 3).mean(axis=(1, 3))
        return Picture(np.rint(blocks).astype(np.uint8))

    def _repr_png_(self) -> bytes:
        return self.png()

    def __repr__(self) -> str:
        return f"Picture({self.pixels.shape[1]} x {self.pixels.shape[0]} pixels)"


def beside(pictures: Sequence[Picture], gap: int = 8) -> Picture:
    """The pictures side by side on white, aligned at the bottom."""
    height = max(picture.pixels.shape[0] for picture in pictures)
    width = sum(picture.pixels.shape[1] for picture in pictures) + gap * (len(pictures) - 1)
    canvas = np.full((height, width, 3), 255, np.uint8)
    x = 0
    for picture in pictures:
        rows, columns, _ = picture.pixels.shape
        canvas[height - rows :, x : x + columns] = picture.pixels
        x += columns + gap
    return Picture(canvas)


def mimebundle(thing: Set | Field, include: Any, exclude: Any) -> dict[str, object]:
    """What a notebook shows of a set or a field."""
    bundle: dict[str, object] = {"text/plain": repr(thing)}
    is_wanted = (include is None or "image/png" in include) and (exclude is None or "image/png" not in exclude)
    if len(thing) > 0 and is_wanted:
        bundle["image/png"] = thing.plot().thumbnail().png()
    return bundle
