package io.skerry.jobs.inspect;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.jobs.argument.SelectionSyntax;
import io.skerry.jobs.file.ChunkBands;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.run.CommandContext;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.PrintWriter;
import java.util.function.ToIntFunction;

/** Runs {@code defined}: prints which elements of a dataset are defined. */
public final class DefinedHandler implements ToIntFunction<DefinedOptions> {
  private final CommandContext context;

  public DefinedHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(DefinedOptions options) {
    return InputFile.read(context, options.file(), options.trust(), file -> print(file, options));
  }

  private int print(H5File file, DefinedOptions options) {
    Dataset dataset = file.dataset(options.dataset());
    Shape shape = dataset.shape();
    if (shape.rank() == 0) {
      throw new JobException("a single value has no coordinates: path=" + options.dataset());
    }
    Selection asked =
        options
            .selection()
            .map(text -> SelectionSyntax.parseArgument(text, shape))
            .orElse(Selection.all());
    PrintWriter to = context.writer();
    new DefinedText(options, shape, asked, parts(dataset, asked)).print(to);
    to.flush();
    return 0;
  }

  private static DefinedText.Parts parts(Dataset dataset, Selection asked) {
    return visitor ->
        ChunkBands.forEach(dataset, asked, part -> visitor.accept(dataset.defined(part)));
  }
}
