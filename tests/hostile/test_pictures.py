"""Pictures that ask for more time or memory than their readers have: each is read within the bounds, or refused."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from model.errors import PictureError
from model.fair_places import FairPlaces
from model.vision import decoding, files
from model.vision.decoding import MAX_DECODED_BYTES
from model.vision.files import MAX_SCANS, read_picture
from model.vision.headers import read_header
from tests.hostile.pictures import animated_png, animated_webp, encode, jpeg_of_scans, plain, png

ROOT = Path(__file__).resolve().parents[2]
TILES_BYTES = 15_000_000  # of a picture that is read in pieces, and of the allocator
MEASURE = """
import resource, sys
from model.vision.files import read_picture

read_picture({small!r})
before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
try:
    read_picture(open(sys.argv[1], "rb").read())
except ValueError as error:
    print(error, file=sys.stderr)
own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(children - before, own)
"""


# -- scans -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scans", [MAX_SCANS + 1, 600, 3000])
def test_a_jpeg_of_many_scans_is_refused_before_it_is_decoded(scans: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_run_decoder", lambda data: pytest.fail("decoded"))
    data = jpeg_of_scans(2000, 1600, scans)
    assert read_header(data).scans == scans
    began = time.process_time()
    with pytest.raises(PictureError, match=f"goes over its 2,000 x 1,600 pixels {scans:,} times"):
        read_picture(data)
    assert time.process_time() - began < 5


def test_few_scans_of_many_pixels_are_too_much_work() -> None:
    with pytest.raises(PictureError, match="40 times, which takes too long"):
        read_picture(jpeg_of_scans(4000, 4000, 40))


@pytest.mark.parametrize("progressive", [False, True])
def test_the_scans_of_an_ordinary_jpeg_are_counted_and_read(progressive: bool) -> None:
    data = encode(plain(1200, 900), "JPEG", progressive=progressive)
    assert read_header(data).scans == (10 if progressive else 1)
    assert (read_picture(data).width, read_picture(data).height) == (1200, 900)


def test_a_jpeg_of_as_many_scans_as_are_allowed_is_read() -> None:
    assert read_picture(jpeg_of_scans(400, 300, MAX_SCANS)).rgb.shape == (300, 400, 3)


def test_scans_after_the_end_of_the_picture_do_not_count() -> None:
    """A phone appends a film to its photo, in which the bytes of a marker stand by chance."""
    data = encode(plain(400, 300), "JPEG") + b"\xff\xda\x00\x08" * 1000
    assert read_header(data).scans == 1
    assert read_picture(data).width == 400


@pytest.mark.parametrize(
    "filling",
    [b"\xff" * 15_000_000, b"\xff\x00" * 7_500_000, b"\xff\xfe\x00\x02" * 3_750_000, b"\xff\xd0" * 7_500_000],
    ids=["marks", "stuffed bytes", "empty comments", "restarts"],
)
def test_a_header_is_walked_in_linear_time(filling: bytes) -> None:
    start = encode(plain(64, 64), "JPEG").removesuffix(b"\xff\xd9")
    began = time.process_time()
    with pytest.raises(PictureError):
        read_header(start[:2] + filling)
    assert time.process_time() - began < 15


# -- waiting -----------------------------------------------------------------------------------------------------------


QUICK = encode(plain(40, 20), "PNG")
SLOW = png(4000, 4000, 1, 0)


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes, int], None]]:
    """`hold(picture, n)` has n readers of a picture that end only with the test."""
    free, began, decode = threading.Event(), threading.Semaphore(0), files._run_decoder
    pool, held = ThreadPoolExecutor(), []

    def run(data: bytes) -> bytes:
        if data in held:
            began.release()
            assert free.wait(60)
            return decode(QUICK)
        return decode(data)

    def hold(picture: bytes, count: int) -> None:
        held.append(picture)
        for _ in range(count):
            pool.submit(read_picture, picture)
        for _ in range(count):
            assert began.acquire(timeout=30)

    monkeypatch.setattr(files, "_run_decoder", run)
    yield hold
    free.set()
    pool.shutdown()


def test_a_quick_picture_does_not_wait_behind_slow_ones(
    hold: Callable[[bytes, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_WAIT_SECONDS", 0.0)
    hold(SLOW, files.MAX_SLOW_AT_ONCE)
    assert read_picture(QUICK).width == 40


@pytest.mark.parametrize(
    ("picture", "count"),
    [(png(99, 99, 1, 0), files.MAX_QUICK_AT_ONCE), (SLOW, files.MAX_SLOW_AT_ONCE)],
    ids=["quick", "slow"],
)
def test_a_visitor_is_told_when_all_places_are_taken(
    hold: Callable[[bytes, int], None], monkeypatch: pytest.MonkeyPatch, picture: bytes, count: int
) -> None:
    hold(picture, count)
    monkeypatch.setattr(files, "MAX_WAIT_SECONDS", 0.01)
    with pytest.raises(PictureError, match="again in a few seconds"):
        read_picture(QUICK if read_header(picture).is_quick else png(4001, 4000, 1, 0))


AS_QUICK_AS = {  # the file, and whether it is quick
    "screenshot": (lambda: encode(plain(2560, 1440), "PNG"), True),
    "photo": (lambda: encode(plain(4032, 3024), "JPEG"), True),
    "small scans": (lambda: jpeg_of_scans(400, 300, MAX_SCANS), True),
    "16 bits": (lambda: png(5000, 4990, 16, 6, channels=4), False),
    "progressive": (lambda: encode(plain(4000, 3900), "JPEG", progressive=True), False),
    "many scans": (lambda: jpeg_of_scans(2000, 1500, MAX_SCANS), False),
    "animated": (lambda: animated_webp(2500, 2495, lossless=True), False),
}


@pytest.mark.parametrize("name", AS_QUICK_AS)
def test_what_takes_seconds_is_slow(name: str) -> None:
    make, is_quick = AS_QUICK_AS[name]
    assert read_header(make()).is_quick == is_quick


def test_decoding_is_stopped_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_SECONDS", 0.001)
    with pytest.raises(PictureError, match="takes too long"):
        read_picture(encode(plain(40, 20), "PNG"))


def test_a_place_is_given_back_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_quick_places", FairPlaces(1))
    monkeypatch.setattr(files, "MAX_WAIT_SECONDS", 0.0)
    whole = encode(plain(64, 64), "PNG")
    for _ in range(2):
        with pytest.raises(PictureError, match="cut off"):
            read_picture(whole[: len(whole) // 2])
    assert read_picture(whole).width == 64


# -- memory ------------------------------------------------------------------------------------------------------------

LARGEST = {  # as large as is allowed
    "grey of 16 bits": lambda: png(5000, 4990, 16, 0),
    "grey of 16 bits and alpha": lambda: png(5000, 4990, 16, 4, channels=2),
    "RGBA of 8 bits": lambda: png(5000, 4990, 8, 6, channels=4),
    "RGBA of 16 bits": lambda: png(5000, 4990, 16, 6, channels=4),
    "RGB of 16 bits": lambda: png(5000, 4990, 16, 2, channels=3),
    "animated PNG": lambda: animated_png(3500, 3500),
    "animated WebP": lambda: animated_webp(2500, 2495, lossless=False),
    "animated lossless WebP": lambda: animated_webp(2500, 2495, lossless=True),
    "still WebP": lambda: encode(plain(2500, 2495), "WEBP", method=0),
    "progressive JPEG": lambda: encode(plain(4000, 3900), "JPEG", progressive=True, subsampling=0),
    "long JPEG": lambda: encode(plain(30_000, 830), "JPEG"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_picture_stays_within_the_memory_that_the_code_states(name: str, tmp_path: Path) -> None:
    pytest.importorskip("resource")
    data = LARGEST[name]()
    assert 0.75 * MAX_DECODED_BYTES < read_header(data).decoded_bytes <= MAX_DECODED_BYTES
    taken, own = peak_bytes(data, tmp_path)
    assert taken < MAX_DECODED_BYTES + TILES_BYTES
    assert own < 100_000_000  # this process holds the file, and the picture made small


@pytest.mark.parametrize(
    "make",
    [
        lambda: animated_webp(3000, 2500, lossless=True),
        lambda: animated_png(4000, 4000),
        lambda: encode(plain(4200, 4200), "JPEG", progressive=True, subsampling=0),
        lambda: png(1_000_000, 22, 16, 6, channels=4),
    ],
    ids=["WebP", "animated PNG", "progressive JPEG", "rows of a million pixels"],
)
def test_a_picture_that_takes_more_is_refused(make: Callable[[], bytes]) -> None:
    with pytest.raises(PictureError, match="MB to decode; at most 100 MB are taken"):
        read_picture(make())


def peak_bytes(data: bytes, folder: Path) -> tuple[int, int]:
    """The peak of memory that decoding takes above that of a tiny picture, and the peak of the process that asks."""
    path, small = folder / "picture", encode(plain(40, 20), "PNG")
    path.write_bytes(data)
    command = [sys.executable, "-c", MEASURE.format(small=small), str(path)]
    # This program is started by a small one: a new process first counts the memory of the one that makes it.
    through = [sys.executable, "-c", "import subprocess, sys; subprocess.run(sys.argv[1:], check=True)", *command]
    done = subprocess.run(through, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr == ""
    unit = 1 if sys.platform == "darwin" else 1024
    taken, own = (unit * int(number) for number in done.stdout.split())
    return taken, own


def test_the_decoder_ends_where_its_memory_ends() -> None:
    pytest.importorskip("resource")
    if sys.platform != "linux":
        pytest.skip("only Linux holds a process to its limit of memory")
    code = "from model.vision import decoding as d; d.MAX_DECODED_BYTES = d.MARGIN_BYTES = 20_000_000; d.main()"
    data = encode(plain(4000, 4000), "PNG")
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True, cwd=ROOT)
    assert done.stdout == b'{"fault": "memory"}\n'


def test_a_picture_of_tiles_is_the_picture_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (1401, 1999, 4), dtype=np.uint8)
    data = encode(Image.fromarray(noise), "PNG")
    monkeypatch.setattr(decoding, "TILE_PIXELS", 10**9)
    whole = decoding.decode(data)
    monkeypatch.setattr(decoding, "TILE_PIXELS", 3000)
    assert decoding.decode(data) == whole


# -- what a file says of itself ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("orientation", [0, 1, 9, 10, 11, 65535])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_orientation_without_a_meaning_turns_nothing_and_says_nothing(kind: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    read = read_picture(encode(plain(40, 20), kind, exif=exif))
    assert (read.width, read.height, read.notes) == (40, 20, ())


def test_a_second_header_does_not_make_the_picture_larger() -> None:
    """Pillow takes the last size that a PNG names, and the first one was checked."""
    second = png(5000, 5000, 8, 2)[8:33]
    with pytest.raises(ValueError, match="two sizes"):
        decoding.decode(png(40, 40, 8, 2, before=second, channels=3))


def test_a_webp_without_a_width_is_no_picture() -> None:
    data = bytearray(encode(plain(16, 16), "WEBP"))
    data[26:28] = bytes(2)
    with pytest.raises(PictureError, match="no PNG, JPEG or WebP"):
        read_header(bytes(data))


def test_a_jpeg_without_a_component_is_no_picture() -> None:
    data = bytearray(encode(plain(16, 16), "JPEG"))
    data[data.index(b"\xff\xc0") + 9] = 0
    with pytest.raises(PictureError, match="no PNG, JPEG or WebP"):
        read_header(bytes(data))
