package io.skerry.jobs.integrity;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.MapObject;
import io.skerry.NamedDatatype;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.value.CanonicalType;
import io.skerry.jobs.integrity.DigestEntry.Content;
import io.skerry.jobs.integrity.DigestEntry.Note;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.WorkBudget;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Shape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Walks the objects of a file depth first and computes the digest of each object once, even if
 * several hard links point to it. The links of a group are visited in the lexicographic order of
 * their UTF-8 encoded names; links other than hard links are not followed. An object that cannot be
 * read becomes an entry with an error, and the walk continues.
 */
final class DigestListing {
  private static final Comparator<String> BY_BYTES =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private final H5File file;
  private final WorkBudget budget;
  private final Consumer<DigestEntry> entries;
  private final Set<Long> seen = new HashSet<>();
  private final Deque<Level> open = new ArrayDeque<>();

  private record Level(Group group, Iterator<Group.Hard> links) {}

  private DigestListing(H5File file, WorkBudget budget, Consumer<DigestEntry> entries) {
    this.file = file;
    this.budget = budget;
    this.entries = entries;
  }

  /**
   * Visits the entries of a file, each group before the objects in it.
   *
   * @param budget the budget for the elements; a dataset that exceeds it becomes an entry with an
   *     error
   * @param entries the consumer of the entries
   */
  static void walk(H5File file, WorkBudget budget, Consumer<DigestEntry> entries) {
    DigestListing listing = new DigestListing(file, budget, entries);
    Group root = file.root();
    listing.seen.add(root.address());
    listing.group(root);
    while (!listing.open.isEmpty()) {
      Level level = listing.open.peek();
      if (level.links.hasNext()) {
        listing.member(level.group, level.links.next());
      } else {
        listing.open.pop();
      }
    }
  }

  private void member(Group group, Group.Hard link) {
    if (!seen.add(link.address())) {
      return;
    }
    H5Object object;
    try {
      object = group.child(link);
    } catch (FormatException
        | UnsupportedFeatureException
        | MemoryLimitException
        | UntrustedFileException
        | CollectiveException e) {
      String path = group.shownChildPath(link.name());
      entries.accept(
          new DigestEntry(path, "unreadable", Optional.empty(), List.of(), Optional.of(reason(e))));
      return;
    }
    switch (object) {
      case Group inner -> group(inner);
      case Dataset dataset -> dataset(dataset);
      case NamedDatatype type -> {
        Content content =
            new Content(Optional.empty(), CanonicalType.of(type.datatype()), Optional.empty());
        object(type, "datatype", Optional.of(content), Optional.empty());
      }
      case MapObject map -> map(map);
    }
  }

  private void group(Group group) {
    Attempt<List<Group.Hard>> links = attempt(() -> hardLinks(group));
    object(group, "group", Optional.empty(), links.error);
    open.push(new Level(group, links.result.orElse(List.of()).iterator()));
  }

  private static List<Group.Hard> hardLinks(Group group) {
    return group.links().stream()
        .filter(Group.Hard.class::isInstance)
        .map(Group.Hard.class::cast)
        .sorted(Comparator.comparing(Group.Hard::name, BY_BYTES))
        .toList();
  }

  private void dataset(Dataset dataset) {
    boolean empty = dataset.isNull();
    Attempt<String> hash = empty ? Attempt.none() : attempt(() -> hash(dataset));
    Content content =
        content(empty ? Optional.empty() : Optional.of(dataset.shape()), dataset.datatype(), hash);
    object(dataset, "dataset", Optional.of(content), hash.error);
  }

  private String hash(Dataset dataset) {
    budget.take(dataset);
    return ContentHash.of(dataset);
  }

  private void map(MapObject map) {
    Attempt<String> hash = attempt(() -> ContentHash.of(map));
    String types = CanonicalType.of(map.keyType()) + " to " + CanonicalType.of(map.valueType());
    object(map, "map", Optional.of(new Content(Optional.empty(), types, hash.result)), hash.error);
  }

  private static Content content(Optional<Shape> shape, Datatype type, Attempt<String> hash) {
    return new Content(
        shape.map(s -> Arrays.stream(s.extent()).boxed().toList()),
        CanonicalType.of(type),
        hash.result);
  }

  private void object(
      H5Object object, String kind, Optional<Content> content, Optional<String> error) {
    Attempt<List<Note>> notes = attempt(() -> notes(object));
    entries.accept(
        new DigestEntry(
            object.shownPath(),
            kind,
            content,
            notes.result.orElse(List.of()),
            error.or(() -> notes.error)));
  }

  private List<Note> notes(H5Object object) {
    List<Note> notes = new ArrayList<>();
    for (Attribute attribute : object.attributes()) {
      boolean empty = attribute.isNull();
      Attempt<String> hash =
          empty ? Attempt.none() : attempt(() -> ContentHash.of(attribute, file.contents()));
      Optional<Shape> shape = empty ? Optional.empty() : Optional.of(attribute.shape());
      notes.add(
          new Note(
              attribute.name(),
              Optional.of(content(shape, attribute.datatype(), hash)),
              hash.error));
    }
    notes.sort(Comparator.comparing(Note::name, BY_BYTES));
    return notes;
  }

  /**
   * A result, or the reason why there is no result; both are empty if there was nothing to read.
   */
  private record Attempt<T>(Optional<T> result, Optional<String> error) {
    static <T> Attempt<T> none() {
      return new Attempt<>(Optional.empty(), Optional.empty());
    }
  }

  private static <T> Attempt<T> attempt(Supplier<T> read) {
    try {
      return new Attempt<>(Optional.of(read.get()), Optional.empty());
    } catch (FormatException
        | JobException
        | UnsupportedFeatureException
        | MemoryLimitException
        | UntrustedFileException
        | CollectiveException e) {
      return new Attempt<>(Optional.empty(), Optional.of(reason(e)));
    } catch (OutOfMemoryError e) {
      // Damaged metadata can claim more elements than fit into memory; the walk continues.
      return new Attempt<>(Optional.empty(), Optional.of(reason(MemoryLimit.exhausted(e))));
    }
  }

  private static String reason(RuntimeException e) {
    return e instanceof CollectiveException shared
        ? shared.reason()
        : String.valueOf(e.getMessage());
  }
}
