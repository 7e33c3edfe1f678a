package io.skerry.jobs.interchange;

import io.skerry.H5File;
import io.skerry.jobs.interchange.form.CompressedForm;
import io.skerry.jobs.interchange.form.CoordinateForm;
import io.skerry.jobs.interchange.form.DenseForm;
import io.skerry.jobs.interchange.form.ElementView;
import io.skerry.jobs.run.JobException;
import java.util.List;

/** The group or dataset of an HDF5 file to which an export writes. */
final class ExportTarget {
  private final ExportOptions options;
  private final H5File file;
  private final String path;

  /**
   * Determines the path of the target; nothing is created yet.
   *
   * @throws JobException if a dense export has no name for its dataset, or if the target is the
   *     root group of a file that is not empty
   */
  ExportTarget(ExportOptions options, H5File file) {
    this.options = options;
    this.file = file;
    this.path = path(options, file);
  }

  private static String path(ExportOptions options, H5File file) {
    String other = options.form() == InterchangeForm.DENSE ? options.from() : "/";
    String path = options.out().path().orElse(other);
    if (path.equals("/") && options.form() == InterchangeForm.DENSE) {
      throw new JobException("a dataset has a name, say FILE:/name: out=" + options.out());
    }
    if (path.equals("/") && !file.root().links().isEmpty()) {
      throw new JobException("the file is not empty, say FILE:/group: out=" + options.out());
    }
    return path;
  }

  /** Returns the paths of the objects that the export may create. */
  List<String> created() {
    return options.form() == InterchangeForm.DENSE ? DenseForm.paths(path) : List.of(path);
  }

  /**
   * Writes an array to the target.
   *
   * @return the number of defined elements
   */
  long write(ElementView view) {
    return switch (options.form()) {
      case CSR -> CompressedForm.CSR.write(view, file, path, options.filters());
      case CSC -> CompressedForm.CSC.write(view, file, path, options.filters());
      case COO -> CoordinateForm.write(view, file, path, options.filters());
      case DENSE -> DenseForm.write(view, file, path, options.filters());
      case MTX -> throw new IllegalStateException("a text is no part of an HDF5 file");
    };
  }
}
