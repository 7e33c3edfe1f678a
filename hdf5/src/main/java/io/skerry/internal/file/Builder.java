package io.skerry.internal.file;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.LinkOrder;
import io.skerry.NoSuchObjectException;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.datatype.Datatype;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.create.DatasetMessages;
import io.skerry.internal.dataset.open.DatasetOpener;
import io.skerry.internal.tree.GroupLinks;
import io.skerry.internal.tree.ObjectForms;
import io.skerry.selection.SelectionEncoding;
import io.skerry.spi.ObjectPath;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Creates objects and links. Every rank makes the same changes to its copy of the metadata. */
public final class Builder {
  private final NativeFile file;

  public Builder(NativeFile file) {
    this.file = file;
  }

  NativeGroup group(String path) {
    long address = groups(Resolver.components(path));
    return new NativeGroup(file, absolute(path), address);
  }

  /** Creates a group; the path must not be in use yet. */
  NativeGroup group(String path, LinkOrder order, AttributeOrder attributes) {
    Place place = place(path);
    return new NativeGroup(file, absolute(path), group(place, order, attributes));
  }

  private long group(Place place, LinkOrder order, AttributeOrder attributes) {
    ObjectHeader header = file.tree().forms().group(order, attributes, file.collective().space());
    file.tree().addNew(header);
    link(place, new LinkTarget.Hard(header.address()));
    return header.address();
  }

  /** Commits a datatype under a path, for datasets and attributes to share. */
  NativeDatatype datatype(String path, Datatype type) {
    Place place = place(path);
    ObjectHeader header =
        file.tree()
            .forms()
            .plain(
                List.of(DatatypeMessage.of(type)),
                AttributeOrder.UNTRACKED,
                ObjectForms.DATASET_SLACK,
                file.collective().space());
    file.tree().add(header);
    link(place, new LinkTarget.Hard(header.address()));
    return new NativeDatatype(file, ObjectPath.of(absolute(path)), header.address(), type);
  }

  /**
   * Adds a hard link to an object and counts it: the object exists until its last hard link is
   * removed.
   */
  void hardLink(String path, String targetPath) {
    long target = Resolver.hardAddress(file, targetPath);
    link(place(path), new LinkTarget.Hard(target));
    file.tree().countReference(target, 1);
  }

  /**
   * Renames a link, or moves it to another group.
   *
   * @throws IllegalArgumentException if the new path equals the old one or is below it
   */
  void move(String from, String to) {
    Resolver.Found old = Resolver.link(file, from);
    if ((absolute(to) + "/").startsWith(absolute(from) + "/")) {
      throw new IllegalArgumentException(
          "an object cannot be moved into itself: from=" + from + " to=" + to);
    }
    Place place = place(to);
    new GroupLinks(file.tree(), old.group()).remove(old.link().name());
    link(place, old.link().target());
  }

  NativeDataset dataset(String path, DatasetSpec spec) {
    List<HeaderMessage> messages = entries(spec);
    Place place = place(path);
    ObjectHeader header =
        file.tree()
            .forms()
            .header(
                messages,
                spec.attributeOrder(),
                ObjectForms.DATASET_SLACK,
                file.collective().space());
    file.tree().add(header);
    NativeDataset dataset =
        DatasetOpener.open(file, ObjectPath.of(absolute(path)), header.address(), spec.encoding());
    if (dataset.kept() instanceof Storage.Chunked(ChunkedDataset chunks)
        && chunks.index() instanceof LinearIndex index) {
      index.requireMemory();
    }
    if (spec.encoding() != SelectionEncoding.SMALLEST) {
      // The file does not store the encoding, so the open file keeps the state of the dataset.
      dataset.hold().ifPresent(file.tree().datasets()::keep);
    }
    link(place, new LinkTarget.Hard(header.address()));
    header
        .sharedReference(DatatypeMessage.class)
        .ifPresent(type -> CommittedTypes.count(file.tree(), type, 1));
    return dataset;
  }

  void externalLink(String path, String targetFile, String targetPath) {
    link(place(path), new LinkTarget.External(targetFile, targetPath));
  }

  void softLink(String path, String targetPath) {
    link(place(path), new LinkTarget.Soft(targetPath));
  }

  /** Throws if the name at a path is taken. */
  public void checkFree(String path) {
    Deque<String> parts = Resolver.components(path);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a path must name something: path=" + path);
    }
    Optional<Long> group = Optional.of(file.tree().rootAddress());
    while (group.isPresent() && !parts.isEmpty()) {
      group = Resolver.hardChild(file, group.get(), parts.removeFirst());
    }
    if (group.isPresent()) {
      throw taken(path);
    }
  }

  private IllegalStateException taken(String path) {
    return new IllegalStateException(
        "the name is taken: path=" + absolute(path) + " file=" + file.path());
  }

  /** Adds the first hard link to an object. */
  public void firstLink(String path, long address) {
    link(place(path), new LinkTarget.Hard(address));
  }

  /**
   * A free name in an existing group.
   *
   * @param group the address of the header of the group
   */
  private record Place(long group, String name) {}

  private Place place(String path) {
    Deque<String> parts = Resolver.components(path);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a path must name something: path=" + path);
    }
    String name = parts.removeLast();
    long group = groups(parts);
    if (file.tree().link(group, name).isPresent()) {
      throw taken(path);
    }
    return new Place(group, name);
  }

  /**
   * Returns the group at a path; missing groups are created.
   *
   * @throws NoSuchObjectException if an object on the path is not a group
   */
  private long groups(Deque<String> parts) {
    long address = file.tree().rootAddress();
    StringBuilder path = new StringBuilder();
    for (String name : parts) {
      path.append('/').append(name);
      Optional<Long> child = Resolver.hardChild(file, address, name);
      if (child.isPresent()) {
        address = child.get();
        ObjectKinds.requireGroup(file, path.toString(), address);
      } else {
        address = group(new Place(address, name), LinkOrder.UNTRACKED, AttributeOrder.UNTRACKED);
      }
    }
    return address;
  }

  private void link(Place place, LinkTarget target) {
    new GroupLinks(file.tree(), place.group()).add(place.name(), target);
  }

  private List<HeaderMessage> entries(DatasetSpec spec) {
    Optional<SharedReference> type =
        spec.committed().map(path -> CommittedTypes.reference(file, path, spec.datatype()));
    return DatasetMessages.messages(spec, file.tree().forms().bounds()).stream()
        .map(message ->
            message instanceof DatatypeMessage && type.isPresent()
                ? HeaderMessage.shared(message, type.get())
                : HeaderMessage.of(message))
        .toList();
  }

  private static String absolute(String path) {
    return path.startsWith("/") ? path : "/" + path;
  }
}
