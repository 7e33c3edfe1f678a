package io.skerry.jobs.virtual;

import io.skerry.DatasetSpec;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.interchange.form.NumberText;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.JsonReader;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A list of mappings in a JSON file: one object with the members {@code type}, {@code shape},
 * {@code maximum} (default: as the shape) and {@code mappings}. A mapping has {@code file}
 * (relative to the folder of the new file, default {@code .}), {@code dataset}, {@code source} and
 * {@code virtual}; the last two are objects with {@code start}, {@code stride}, {@code count} and
 * {@code block}. {@code stride}, {@code count} and {@code block} default to 1 in each dimension;
 * null means unlimited. Without {@code source} or {@code virtual}, all elements are selected.
 */
record MappingList(Path file, Json.Members root) {
  static MappingList read(Path file) {
    try {
      Json json = JsonReader.parse(Files.readString(file));
      if (json instanceof Json.Members members) {
        return new MappingList(file, members);
      }
      throw new JobException("a list of mappings is one JSON object: file=" + file);
    } catch (IOException e) {
      throw new JobException(
          "the list of mappings cannot be read: file=" + file + " cause=" + e, e);
    } catch (IllegalArgumentException e) {
      throw new JobException(e.getMessage() + " file=" + file, e);
    }
  }

  /**
   * Returns the existing source files, which must not be replaced. Their names are resolved against
   * a folder. Of the sources of a mapping with one source per block, only the output itself is
   * included, if its name is that of a block.
   *
   * @param out the output
   */
  List<ObjectArgument> files(Path folder, Path out) {
    return mappings().stream()
        .map(each -> BlockNames.file(folder.resolve(name(each, "file", ".")), out))
        .flatMap(Optional::stream)
        .filter(Files::isRegularFile)
        .map(each -> new ObjectArgument(each, "/"))
        .toList();
  }

  /** Returns the specification of the virtual dataset. */
  DatasetSpec spec() {
    String name = name(root, "type", "");
    Datatype type =
        NumberText.typeOf(name)
            .orElseThrow(() -> fault("type", "the name of a type of numbers, such as f32", name));
    long[] extent = numbers(root, "shape").orElseThrow(() -> fault("shape", "numbers", "none"));
    VirtualLayout.Builder layout = VirtualLayout.builder();
    try {
      Shape shape = Shape.of(extent, numbers(root, "maximum").orElse(extent));
      for (Json.Members each : mappings()) {
        layout.map(
            selection(each, "virtual"),
            VirtualSource.of(name(each, "file", "."), name(each, "dataset", ""))
                .select(selection(each, "source")));
      }
      return DatasetSpec.of(type, shape).virtual(layout.build());
    } catch (IllegalArgumentException e) {
      throw new JobException(e.getMessage() + " file=" + file, e);
    }
  }

  private JobException fault(String member, String expected, Object actual) {
    return new JobException(
        "a list of mappings: member=%s expected=%s actual=%s file=%s"
            .formatted(member, expected, actual, file));
  }

  private static Optional<Json> member(Json.Members object, String name) {
    return object.members().stream()
        .filter(each -> each.name().equals(name))
        .map(Json.Member::value)
        .findFirst();
  }

  private List<Json.Members> mappings() {
    if (!(member(root, "mappings").orElse(Json.Nothing.NULL) instanceof Json.Items items)) {
      throw fault("mappings", "an array of objects", "none");
    }
    return items.values().stream()
        .map(each -> {
          if (each instanceof Json.Members mapping) {
            return mapping;
          }
          throw fault("mappings", "an array of objects", each.text());
        })
        .toList();
  }

  private String name(Json.Members object, String name, String otherwise) {
    return switch (member(object, name).orElse(new Json.Text(otherwise))) {
      case Json.Text(String text) -> text;
      case Json other -> throw fault(name, "a text", other.text());
    };
  }

  private Selection selection(Json.Members mapping, String name) {
    Optional<Json> found = member(mapping, name);
    if (found.isEmpty()) {
      return Selection.all();
    }
    if (!(found.get() instanceof Json.Members slab)) {
      throw fault(name, "an object with start, stride, count and block", found.get().text());
    }
    long[] start = numbers(slab, "start").orElseThrow(() -> fault("start", "numbers", "none"));
    long[] ones = new long[start.length];
    Arrays.fill(ones, 1);
    return Selection.at(start)
        .stride(numbers(slab, "stride").orElse(ones))
        .count(numbers(slab, "count").orElse(ones))
        .block(numbers(slab, "block").orElse(ones));
  }

  private Optional<long[]> numbers(Json.Members object, String name) {
    return member(object, name)
        .map(found -> {
          if (!(found instanceof Json.Items items)) {
            throw fault(name, "an array of numbers", found.text());
          }
          return items.values().stream()
              .mapToLong(each ->
                  switch (each) {
                    case Json.Whole(long value) -> value;
                    case Json.Nothing _ -> Shape.UNLIMITED;
                    default -> throw fault(name, "an array of numbers", each.text());
                  })
              .toArray();
        });
  }
}
