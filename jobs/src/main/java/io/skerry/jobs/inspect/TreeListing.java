package io.skerry.jobs.inspect;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.MapObject;
import io.skerry.NamedDatatype;
import io.skerry.chunk.text.PrintableText;
import io.skerry.datatype.StringType;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.jobs.virtual.MappingSummary;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Walks the tree of a file. An object that cannot be read becomes an entry that states the reason.
 * If only a part of an object cannot be read, its entry lists the problem. The walk continues in
 * both cases.
 */
final class TreeListing {
  /** The maximum nesting depth of groups; the contents of deeper groups are not listed. */
  private static final int MAX_DEPTH = 200;

  private final Set<Long> shown = new HashSet<>();
  private final Consumer<TreeEntry> entries;

  private TreeListing(Consumer<TreeEntry> entries) {
    this.entries = entries;
  }

  /** Visits the objects and links of a file, each group before the objects and links in it. */
  static void walk(H5File file, Consumer<TreeEntry> entries) {
    Group root = file.root();
    TreeListing listing = new TreeListing(entries);
    // A hard link may lead back to the root group.
    listing.shown.add(root.address());
    listing.group(root, new TreeEntry.Place(root.path(), 0, ""));
  }

  private void group(Group group, TreeEntry.Place at) {
    List<String> problems = new ArrayList<>();
    List<TreeEntry.Note> notes = notes(group, problems);
    List<Group.Link> links = List.of();
    if (at.depth() > MAX_DEPTH) {
      problems.add("groups nested deeper than " + MAX_DEPTH + " are not listed");
    } else {
      links = orProblem(group::links, List.of(), problems);
    }
    entries.accept(new TreeEntry.OfGroup(at, notes, problems));
    for (Group.Link link : links) {
      TreeEntry.Place path =
          new TreeEntry.Place(
              group.shownChildPath(link.name()),
              at.depth() + 1,
              PrintableText.message(link.name()));
      switch (link) {
        case Group.Hard hard -> object(group, hard, path);
        case Group.Soft(String _, String target) -> link(path, "soft link to " + target);
        case Group.External(String _, String other, String target) ->
            link(path, "external link to " + other + ":" + target);
        case Group.Foreign(String _, int kind) -> link(path, "user-defined link of type " + kind);
      }
    }
  }

  private void link(TreeEntry.Place path, String target) {
    entries.accept(new TreeEntry.OfLink(path, target));
  }

  private void object(Group group, Group.Hard link, TreeEntry.Place path) {
    if (!shown.add(link.address())) {
      link(path, "another link to an object shown above");
      return;
    }
    orUnreadable(path, () -> group.child(link)).ifPresent(object -> child(object, path));
  }

  private void child(H5Object object, TreeEntry.Place path) {
    switch (object) {
      case Group inner -> group(inner, path);
      case Dataset dataset -> orUnreadable(path, () -> dataset(dataset, path)).ifPresent(entries);
      case NamedDatatype type ->
          entries.accept(new TreeEntry.OfType(path, String.valueOf(type.datatype())));
      case MapObject map -> entries.accept(map(map, path));
    }
  }

  /**
   * Returns the result of a read. If the read fails, adds an entry that states the reason, and
   * returns empty.
   */
  private <T> Optional<T> orUnreadable(TreeEntry.Place path, Supplier<T> read) {
    String reason;
    try {
      return Optional.of(read.get());
    } catch (UnsupportedFeatureException
        | FormatException
        | MemoryLimitException
        | UntrustedFileException e) {
      reason = String.valueOf(e.getMessage());
    } catch (CollectiveException e) {
      reason = e.reason();
    }
    entries.accept(new TreeEntry.Unreadable(path, reason));
    return Optional.empty();
  }

  private static TreeEntry dataset(Dataset dataset, TreeEntry.Place path) {
    List<String> problems = new ArrayList<>(dataset.refusedFiles());
    Shape shape = dataset.shape();
    return new TreeEntry.OfDataset(
        path,
        Arrays.stream(shape.extent()).boxed().toList(),
        Arrays.stream(shape.maximum()).boxed().toList(),
        dataset.isNull() ? "null" : shape.toString(),
        String.valueOf(dataset.datatype()),
        dataset.storage(),
        defined(dataset, problems),
        orProblem(() -> MappingSummary.of(dataset), Optional.empty(), problems),
        notes(dataset, problems),
        problems);
  }

  private static TreeEntry map(MapObject map, TreeEntry.Place path) {
    List<String> problems = new ArrayList<>();
    OptionalLong size =
        orProblem(() -> OptionalLong.of(map.size()), OptionalLong.empty(), problems);
    return new TreeEntry.OfMap(
        path,
        String.valueOf(map.keyType()),
        String.valueOf(map.valueType()),
        size,
        notes(map, problems),
        problems);
  }

  private static OptionalLong defined(Dataset dataset, List<String> problems) {
    if (!dataset.isSparse()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(dataset.defined(Selection.all()).count(dataset.shape()));
    } catch (CollectiveException e) {
      problems.add("defined elements unknown: " + e.reason());
      return OptionalLong.empty();
    }
  }

  private static List<TreeEntry.Note> notes(H5Object object, List<String> problems) {
    return orProblem(object::attributes, List.<Attribute>of(), problems).stream()
        .map(attribute -> new TreeEntry.Note(attribute.name(), value(attribute)))
        .toList();
  }

  private static String value(Attribute attribute) {
    if (attribute.isNull()) {
      return "null " + attribute.datatype();
    }
    if (attribute.datatype() instanceof StringType && attribute.shape().elements() == 1) {
      return "\"" + attribute.text() + "\"";
    }
    return attribute.shape() + " " + attribute.datatype();
  }

  private static <T> T orProblem(Supplier<T> read, T otherwise, List<String> problems) {
    try {
      return read.get();
    } catch (UnsupportedFeatureException
        | FormatException
        | MemoryLimitException
        | UntrustedFileException e) {
      problems.add(String.valueOf(e.getMessage()));
      return otherwise;
    }
  }
}
