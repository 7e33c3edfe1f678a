package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.format.FormatBounds;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.nio.file.Path;
import java.util.List;

/** Runs lines of Python that check or change a file, with every installed h5py. */
public final class H5pyChecks {
  private static final List<Oracle> H5PY = Oracle.h5py();

  private static final String HEAD =
      """
      import sys, h5py, numpy as np
      v2 = h5py.version.hdf5_version_tuple[0] >= 2
      def same(a, b):
          a = np.asarray(a); b = np.asarray(b)
          assert a.shape == b.shape and (a == b).all(), (a, b)
      def all_objects(f):
          names = []; f.visit(names.append); return names
      with h5py.File(sys.argv[1], sys.argv[2]) as f:
      """;

  private H5pyChecks() {}

  /** Runs assertions on {@code f}, which is open for reading. */
  public static void reads(Path folder, Path file, String lines) {
    reads(folder, file, FormatBounds.V110, lines);
  }

  /** Runs assertions on {@code f}, open for reading, in every h5py that supports the bounds. */
  public static void reads(Path folder, Path file, FormatBounds bounds, String lines) {
    for (Oracle h5py : oracles(bounds)) {
      h5py.run(folder, "-c", HEAD + lines.indent(4), file, "r").expectSuccess();
    }
    Oracle.tool("h5dump")
        .filter(h5dump -> reads(h5dump, bounds))
        .ifPresent(h5dump -> {
          ProcessResult ran = h5dump.run(folder, "-p", file).expectSuccess();
          if (!ran.err().isEmpty() || ran.out().contains("unable to")) {
            throw new IllegalStateException("h5dump complains: " + ran.err() + ran.out());
          }
        });
  }

  /** Runs changes on {@code f}, which is open for writing, in one h5py. */
  public static void changes(Oracle h5py, Path folder, Path file, String lines) {
    h5py.run(folder, "-c", HEAD + lines.indent(4), file, "r+").expectSuccess();
  }

  public static List<Oracle> oracles() {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    return H5PY;
  }

  /** Returns the h5py installations that can read files with the bounds. */
  public static List<Oracle> oracles(FormatBounds bounds) {
    return oracles().stream().filter(h5py -> reads(h5py, bounds)).toList();
  }

  private static boolean reads(Oracle oracle, FormatBounds bounds) {
    return bounds != FormatBounds.V200 || oracle.hdf5().startsWith("2.");
  }
}
