package io.skerry.jobs;

import io.skerry.StorageInfo;
import io.skerry.chunk.space.Shape;
import java.nio.file.Path;
import java.util.List;

/**
 * The tree of a file for programs: one object with {@code file} and {@code objects}, a flat list in
 * which each group comes before its members. Every object has {@code path} and {@code kind} (group,
 * dataset, type, link, unreadable).
 */
final class TreeJson {
  private TreeJson() {}

  static Json of(Path file, List<TreeEntry> entries) {
    return Json.object()
        .with("file", file.toString())
        .with("objects", new Json.Items(entries.stream().map(TreeJson::of).toList()));
  }

  private static Json of(TreeEntry entry) {
    return switch (entry) {
      case TreeEntry.OfGroup(String path, var attributes, var problems) ->
          withNotes(object(path, "group"), attributes, problems);
      case TreeEntry.OfDataset dataset -> of(dataset);
      case TreeEntry.OfType(String path, String type) -> object(path, "type").with("type", type);
      case TreeEntry.OfLink(String path, String target) ->
          object(path, "link").with("target", target);
      case TreeEntry.Unreadable(String path, String reason) ->
          object(path, "unreadable").with("reason", reason);
    };
  }

  private static Json of(TreeEntry.OfDataset dataset) {
    StorageInfo storage = dataset.storage();
    Json.Members object =
        object(dataset.path(), "dataset")
            .with("shape", numbers(dataset.extent()))
            .with("maximum", limits(dataset.maximum()))
            .with("type", dataset.type())
            .with("layout", storage.layout());
    if (!storage.chunk().isEmpty()) {
      object = object.with("chunk", numbers(storage.chunk())).with("index", storage.index());
    }
    object = object.with("filters", texts(storage.filters()));
    if (dataset.defined().isPresent()) {
      object = object.with("defined", dataset.defined().getAsLong());
    }
    return withNotes(object, dataset.attributes(), dataset.problems());
  }

  private static Json.Members object(String path, String kind) {
    return Json.object().with("path", path).with("kind", kind);
  }

  private static Json.Members withNotes(
      Json.Members object, List<TreeEntry.Note> attributes, List<String> problems) {
    Json.Members notes = Json.object();
    for (TreeEntry.Note note : attributes) {
      notes = notes.with(note.name(), note.value());
    }
    return object.with("attributes", notes).with("problems", texts(problems));
  }

  static Json numbers(List<Long> values) {
    return new Json.Items(values.stream().<Json>map(Json.Whole::new).toList());
  }

  /** No limit is the text "unlimited". */
  static Json limits(List<Long> values) {
    return new Json.Items(
        values.stream()
            .<Json>map(v -> v == Shape.UNLIMITED ? new Json.Text("unlimited") : new Json.Whole(v))
            .toList());
  }

  static Json texts(List<String> values) {
    return new Json.Items(values.stream().<Json>map(Json.Text::new).toList());
  }
}
