package io.skerry.jobs.inspect;

import io.skerry.StorageInfo;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.JsonList;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * Prints the tree of a file as JSON: one object with the members {@code file} and {@code objects}.
 * The member {@code objects} is a flat list in which each group precedes the objects and links in
 * it. Every element of the list has {@code path} and {@code kind} (group, dataset, type, map, link,
 * unreadable).
 */
final class TreeJson {
  private final JsonList objects;

  TreeJson(Path file, PrintWriter out) {
    this.objects = new JsonList(Json.object().with("file", file.toString()), "objects", out);
  }

  /** Prints one object or link. */
  void entry(TreeEntry entry) {
    objects.add(of(entry));
  }

  void end() {
    objects.end();
  }

  private static Json of(TreeEntry entry) {
    return switch (entry) {
      case TreeEntry.OfGroup(var place, var attributes, var problems) ->
          withNotes(object(place.path(), "group"), attributes, problems);
      case TreeEntry.OfDataset dataset -> of(dataset);
      case TreeEntry.OfType(var place, String type) ->
          object(place.path(), "type").with("type", type);
      case TreeEntry.OfMap map -> of(map);
      case TreeEntry.OfLink(var place, String target) ->
          object(place.path(), "link").with("target", target);
      case TreeEntry.Unreadable(var place, String reason) ->
          object(place.path(), "unreadable").with("reason", reason);
    };
  }

  private static Json of(TreeEntry.OfDataset dataset) {
    StorageInfo storage = dataset.storage();
    Json.Members object =
        object(dataset.path(), "dataset")
            .with("shape", Json.numbers(dataset.extent()))
            .with("maximum", Json.limits(dataset.maximum()))
            .with("type", dataset.type())
            .with("layout", storage.layout());
    if (!storage.chunk().isEmpty()) {
      object = object.with("chunk", Json.numbers(storage.chunk())).with("index", storage.index());
    }
    object = object.with("filters", Json.texts(storage.filters()));
    if (dataset.defined().isPresent()) {
      object = object.with("defined", dataset.defined().getAsLong());
    }
    if (dataset.mappings().isPresent()) {
      object = object.with("mappings", dataset.mappings().get().toJson());
    }
    return withNotes(object, dataset.attributes(), dataset.problems());
  }

  private static Json of(TreeEntry.OfMap map) {
    Json.Members object =
        object(map.path(), "map").with("key", map.key()).with("value", map.value());
    if (map.size().isPresent()) {
      object = object.with("pairs", map.size().getAsLong());
    }
    return withNotes(object, map.attributes(), map.problems());
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
    return object.with("attributes", notes).with("problems", Json.texts(problems));
  }
}
