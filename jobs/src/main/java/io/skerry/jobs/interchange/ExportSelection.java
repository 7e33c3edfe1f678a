package io.skerry.jobs.interchange;

import io.skerry.Dataset;
import io.skerry.jobs.argument.SelectionSyntax;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The elements of a dataset to export: those that the option {@code --selection} selects, or all
 * elements if the option is not given.
 */
final class ExportSelection {
  private final ExportOptions options;
  private final Dataset dataset;

  ExportSelection(ExportOptions options, Dataset dataset) {
    this.options = options;
    this.dataset = dataset;
  }

  /**
   * Returns the elements to export.
   *
   * @throws JobException if the dataspace of the dataset is scalar or null, or if the text of the
   *     option is not a valid selection of this dataset or selects nothing
   */
  Hyperslab pattern() {
    Shape shape = dataset.shape();
    if (dataset.isNull() || shape.rank() == 0) {
      throw new JobException("a single value has no coordinates: path=" + options.from());
    }
    if (options.selection().isEmpty()) {
      return Selection.at(new long[shape.rank()]).count(shape.extent());
    }
    String text = options.selection().get();
    if (!(SelectionSyntax.parseArgument(text, shape) instanceof Hyperslab chosen)) {
      throw new JobException("nothing is selected: selection=" + text);
    }
    return chosen;
  }

  /**
   * Returns the dimensions for which the option gives a range, even a range of one index; all
   * dimensions if the option is not given.
   *
   * @throws JobException if the option gives a single index for every dimension
   */
  List<Integer> kept() {
    Stream<Integer> all = IntStream.range(0, dataset.shape().rank()).boxed();
    if (options.selection().isEmpty()) {
      return all.toList();
    }
    String text = options.selection().get();
    List<Integer> kept = all.filter(d -> !SelectionSyntax.isIndex(text, d)).toList();
    if (kept.isEmpty()) {
      throw new JobException("a single value has no coordinates: selection=" + text);
    }
    return kept;
  }
}
