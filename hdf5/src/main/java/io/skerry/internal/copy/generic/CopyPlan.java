package io.skerry.internal.copy.generic;

import io.skerry.CopyOption;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.MapObject;
import io.skerry.NamedDatatype;
import io.skerry.NoSuchObjectException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.spi.ObjectPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The objects of a copy, each at the first path at which it is found, and all other links of the
 * copy. Memory use is proportional to the number of objects and links. Every rank creates the same
 * plan.
 */
final class CopyPlan {
  private final H5File source;
  private final Set<CopyOption> options;
  private final Map<Long, ObjectPath> places = new HashMap<>();
  private final List<Planned<Group>> groups = new ArrayList<>();
  private final List<Planned<NamedDatatype>> datatypes = new ArrayList<>();
  private final List<Planned<Dataset>> datasets = new ArrayList<>();
  private final List<Planned<MapObject>> maps = new ArrayList<>();
  private final List<NewLink> links = new ArrayList<>();
  private final Deque<Level> pending = new ArrayDeque<>();

  /**
   * An object to copy.
   *
   * @param open a supplier that opens the object; collective if it is a dataset
   * @param address the address in the source; empty if it is not known
   * @param from the path in the source
   * @param to the path of the copy
   */
  record Planned<T extends H5Object>(
      Supplier<T> open, Optional<Long> address, ObjectPath from, ObjectPath to) {
    private <S extends H5Object> Planned<S> as(Supplier<S> opening) {
      return new Planned<>(opening, address, from, to);
    }
  }

  /** A link to create. */
  sealed interface NewLink {
    /** Returns the path of the link. */
    ObjectPath path();
  }

  /** A hard link to an object that has been copied to another path. */
  record HardLink(ObjectPath path, ObjectPath target) implements NewLink {}

  /** A link with the target of a soft or external link of the source. */
  record OtherLink(ObjectPath path, Group.Link link) implements NewLink {}

  /** A group whose members are to be visited. */
  private record Level(Group group, ObjectPath from, ObjectPath to, int depth) {}

  private CopyPlan(H5File source, Set<CopyOption> options) {
    this.source = source;
    this.options = options;
  }

  /**
   * Plans the copy of an object and of all objects below it. Datasets are opened, which is
   * collective.
   *
   * @param to the path of the copy; the root if the members of a root group are copied into it
   * @throws UnsupportedFeatureException if there is a link that no API can create
   */
  static CopyPlan of(H5Object object, ObjectPath to, Set<CopyOption> options) {
    CopyPlan plan = new CopyPlan(object.file(), options);
    ObjectPath from = ObjectPath.of(object.path());
    Optional<Long> address =
        object instanceof Group group
            ? Optional.of(group.address())
            : plan.addressOf(object.path());
    address.ifPresent(known -> plan.places.put(known, to));
    plan.add(new Planned<>(() -> object, address, from, to), object, 0);
    while (!plan.pending.isEmpty()) {
      plan.visit(plan.pending.removeFirst());
    }
    return plan;
  }

  private void visit(Level level) {
    if (level.depth > 0 && options.contains(CopyOption.SHALLOW)) {
      return;
    }
    for (Group.Link link : level.group.links()) {
      ObjectPath at = level.to.child(link.name());
      switch (link) {
        case Group.Hard hard -> member(level, hard, at);
        case Group.Soft _, Group.External _ -> links.add(new OtherLink(at, link));
        case Group.Foreign(String name, int kind) ->
            throw new UnsupportedFeatureException(
                "copying a user-defined link of kind " + kind, level.from.child(name).shown());
      }
    }
  }

  private void member(Level level, Group.Hard link, ObjectPath at) {
    ObjectPath known = places.putIfAbsent(link.address(), at);
    if (known != null) {
      links.add(new HardLink(at, known));
      return;
    }
    Group group = level.group;
    // Datasets are opened again when they are copied, so that they are not all open at the same
    // time.
    add(
        new Planned<>(
            () -> group.child(link),
            Optional.of(link.address()),
            level.from.child(link.name()),
            at),
        group.child(link),
        level.depth + 1);
  }

  private void add(Planned<H5Object> planned, H5Object object, int depth) {
    switch (object) {
      case Group group -> {
        groups.add(planned.as(() -> group));
        pending.add(new Level(group, planned.from, planned.to, depth));
      }
      case NamedDatatype type -> datatypes.add(planned.as(() -> type));
      case Dataset _ -> datasets.add(planned.as(() -> (Dataset) planned.open.get()));
      case MapObject map -> maps.add(planned.as(() -> map));
    }
  }

  /** Returns the file that contains the objects. */
  H5File source() {
    return source;
  }

  /** Returns the groups, each before the groups below it. */
  List<Planned<Group>> groups() {
    return groups;
  }

  List<Planned<NamedDatatype>> datatypes() {
    return datatypes;
  }

  List<Planned<Dataset>> datasets() {
    return datasets;
  }

  List<Planned<MapObject>> maps() {
    return maps;
  }

  List<NewLink> links() {
    return links;
  }

  /** Returns the path of the copy of an object; empty if the object is not copied. */
  Optional<ObjectPath> placeOf(long address) {
    return Optional.ofNullable(places.get(address));
  }

  /**
   * Returns the address of the object at a path of the source; empty if the path does not lead
   * through hard links only.
   */
  Optional<Long> addressOf(String path) {
    try {
      return Optional.of(source.reference(path).target().address());
    } catch (NoSuchObjectException | UnsupportedFeatureException e) {
      return Optional.empty();
    }
  }
}
