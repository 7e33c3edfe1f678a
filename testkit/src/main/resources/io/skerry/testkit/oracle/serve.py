"""serve.py: runs Python programs in forks of this process, which has already loaded h5py.

Each line of standard input is the Base64 form of fields separated by NUL: the working folder, the
files for the standard output and the error output, and the arguments of the interpreter (a script, or
-c and a program, and their arguments). The answer is a line with the exit code, or with 128 plus the
number of the signal that ended the program.
"""
import atexit
import base64
import ctypes
import gc
import os
import runpy
import sys

import h5py
import numpy


def prepare(folder, out, err):
    os.chdir(folder)
    null = os.open(os.devnull, os.O_RDONLY)
    opened = [null] + [os.open(path, os.O_WRONLY | os.O_TRUNC) for path in (out, err)]
    for standard, fd in enumerate(opened):
        os.dup2(fd, standard)
        os.close(fd)


def execute(arguments):
    if arguments[0] == "-c":
        sys.argv = ["-c"] + arguments[2:]
        sys.path[0] = ""
        names = {"__name__": "__main__"}
        exec(compile(arguments[1], "<string>", "exec"), names)
        names.clear()
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(arguments[0])
        runpy.run_path(arguments[0], run_name="__main__")


def leave():
    """Ends the process so that the HDF5 library closes its files, but without the removal of the
    modules, which takes longer than most programs. The objects of the program are removed."""
    gc.collect()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    libc.exit(0)


# PyDLL keeps the interpreter locked: the HDF5 library calls functions of h5py when it ends.
libc = ctypes.PyDLL(None)
# The objects of this process are garbage in none of its forks.
gc.freeze()
for line in iter(sys.stdin.readline, ""):
    folder, out, err, *arguments = base64.b64decode(line).decode().split("\0")
    child = os.fork()
    if child == 0:
        prepare(folder, out, err)
        execute(arguments)
        leave()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(code if code >= 0 else 128 - code, flush=True)
