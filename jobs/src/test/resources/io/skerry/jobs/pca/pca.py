"""Principal components by numpy, of frames in plain files of binary64.

pca.py FOLDER FRAMES PIXELS K mean|none: reads FOLDER/stack and, of what was found, FOLDER/components
and FOLDER/scores; writes FOLDER/expected with K variances, K ratios and the greatest differences of
components and of scores, each as a part of the largest element there is. Exits with 77 without numpy.
"""

import os
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(77)


def main(folder, frames, pixels, count, centering):
    stack = np.fromfile(os.path.join(folder, "stack")).reshape(frames, pixels)
    if centering == "mean":
        stack = stack - stack.mean(axis=0)
    divisor = max(1, frames - 1) if centering == "mean" else frames
    left, values, right = np.linalg.svd(stack, full_matrices=False)
    variances = values**2 / divisor
    whole = variances.sum()
    components = right[:count].copy()
    scores = left[:, :count] * values[:count]
    for i in range(count):
        if components[i, np.argmax(np.abs(components[i]))] < 0:
            components[i] *= -1
            scores[:, i] *= -1
    found = np.fromfile(os.path.join(folder, "components")).reshape(count, pixels)
    projected = np.fromfile(os.path.join(folder, "scores")).reshape(frames, count)
    answer = np.concatenate(
        [
            variances[:count],
            variances[:count] / whole,
            [np.abs(found - components).max() / np.abs(components).max()],
            [np.abs(projected - scores).max() / np.abs(scores).max()],
        ]
    )
    answer.tofile(os.path.join(folder, "expected"))


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
