package io.skerry.jobs.interchange;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.jobs.argument.ElementSyntax;
import io.skerry.jobs.interchange.form.CompressedForm;
import io.skerry.jobs.interchange.form.CoordinateForm;
import io.skerry.jobs.interchange.form.DenseForm;
import io.skerry.jobs.interchange.form.ElementSource;
import io.skerry.jobs.interchange.form.InterchangeSource;
import io.skerry.jobs.run.WorkBudget;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/** Opens the elements that an import reads from an HDF5 file. */
final class ImportInput {
  private final ImportOptions options;
  private final H5File file;

  ImportInput(ImportOptions options, H5File file) {
    this.options = options;
    this.file = file;
  }

  /**
   * Opens the elements according to the form of the input.
   *
   * @throws JobException if the elements exceed the limit in the options
   */
  ElementSource open() {
    InterchangeSource from = new InterchangeSource(file, options.in().path().orElse("/"));
    WorkBudget budget = new WorkBudget(options.limit(), "import", WorkBudget.Effort.REWRITE);
    read(from).forEach(budget::take);
    return switch (options.form()) {
      case CSR -> CompressedForm.CSR.open(from);
      case CSC -> CompressedForm.CSC.open(from);
      case COO -> CoordinateForm.open(from);
      case DENSE -> DenseForm.open(from, undefined(from.path()));
      case MTX -> throw new IllegalStateException("a text is no part of an HDF5 file");
    };
  }

  /**
   * Returns the datasets whose elements count toward the limit: all that the import reads, except a
   * mask and a dataset that contains the shape. Missing datasets are left out and reported later.
   */
  private List<Dataset> read(InterchangeSource from) {
    return switch (options.form()) {
      case CSR, CSC -> from.members(CompressedForm.MEMBERS);
      case COO -> from.members(CoordinateForm.MEMBERS);
      case DENSE -> List.of(from.dataset());
      case MTX -> List.of();
    };
  }

  /**
   * Returns the bytes of the value that marks undefined elements; empty if the options name no
   * value.
   */
  private Optional<byte[]> undefined(String path) {
    return options
        .undefined()
        .map(text ->
            ElementSyntax.parse(file.dataset(path).datatype(), text)
                .segment()
                .toArray(ValueLayout.JAVA_BYTE));
  }
}
