"""All that the app takes of Streamlit, uvicorn, websockets and asyncio although it is not public.

Another release may rename any of it. So it stands here alone, and each function says what it does, where it was read,
and what happens without it. For each that does nothing any more, a test fails:
`tests/pages/shared/server/test_private_parts.py`.

Read in: Streamlit 1.67.0, uvicorn 0.54.0, websockets 17.4, asyncio of Python 3.11.

`server.py`: what the server does otherwise than Streamlit and uvicorn mean it, set once at its start (`serve.py`).
`runs.py`: the run of a page, and its session.
"""
