package io.skerry.internal.copy.generic;

import io.skerry.Attribute;
import io.skerry.CopyOption;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.MapObject;
import io.skerry.NamedDatatype;
import io.skerry.NoSuchObjectException;
import io.skerry.ObjectCopier;
import io.skerry.StorageChange;
import io.skerry.collective.step.LocalStatus;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import io.skerry.spi.ObjectPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Copies objects between files of any connectors. First, all objects and links are created, without
 * elements, so that an object that the target cannot store is refused before any element is
 * written. The elements follow, dataset by dataset, then the pairs of maps, and finally the
 * attributes, which may refer to any object. After a failure, the links to the copies are removed.
 * The creation order of links is not kept. Collective.
 */
public final class GenericCopy {
  private static final List<CopyOption> UNSUPPORTED =
      List.of(CopyOption.EXPAND_SOFT, CopyOption.EXPAND_EXTERNAL, CopyOption.EXPAND_REFERENCES);

  private final ObjectCopier how;
  private final H5File target;
  private final TargetSteps steps;

  public GenericCopy(ObjectCopier how) {
    this.how = how;
    this.target = how.target();
    this.steps = new TargetSteps(target);
  }

  /**
   * Copies an object and all objects below it.
   *
   * @param from the path of the object in the source
   * @param to the path of the copy in the target, which must not be in use yet
   */
  public void copy(String from, String to) {
    boolean unused = steps.before(Operation.COPY, "", () -> check(from, to));
    H5Object object = source(from);
    String free = steps.before(Operation.CREATE_OBJECT, to, () -> firstFree(to));
    Optional<StorageChange> own =
        object instanceof Dataset ? Optional.ofNullable(how.named().get(from)) : Optional.empty();
    copy(object, ObjectPath.of(to.startsWith("/") ? to : "/" + to), own, Set.of(free));
  }

  /**
   * Copies the members and the attributes of the root group of the source into the root group of
   * the target, which must have no members, and no attribute with the same name as one to be
   * copied.
   */
  public void copyAll() {
    boolean unused = steps.before(Operation.COPY, "/", () -> check("/", "/") && checkRoot());
    Group root = how.source().root();
    Set<String> members =
        root.links().stream().map(link -> "/" + link.name()).collect(Collectors.toSet());
    copy(root, ObjectPath.ROOT, Optional.empty(), members);
  }

  private boolean check(String from, String to) {
    Objects.requireNonNull(from, "the path of the object is null");
    Objects.requireNonNull(to, "the path of the copy is null");
    for (CopyOption option : UNSUPPORTED) {
      if (how.options().contains(option)) {
        throw new UnsupportedFeatureException(
            "copying between different stores with option " + option, from);
      }
    }
    return true;
  }

  private boolean checkRoot() {
    Group root = target.root();
    if (!root.links().isEmpty()) {
      throw new IllegalArgumentException("not a new file: file=" + target.path());
    }
    for (Attribute attribute : how.source().root().attributes()) {
      if (root.attribute(attribute.name()).isPresent()) {
        throw new IllegalArgumentException(
            "the target has an attribute of this name: attribute="
                + attribute.name()
                + " file="
                + target.path());
      }
    }
    return true;
  }

  private H5Object source(String from) {
    try {
      return how.source().object(from);
    } catch (NoSuchObjectException e) {
      // All ranks have caught this exception, so they need not agree on the failure.
      throw new CollectiveException(
          Operation.COPY,
          "file=" + how.source().path() + " object=" + from,
          IntStream.range(0, e.agreedRanks().size()).boxed().toList(),
          e.agreedRanks(),
          String.valueOf(e.getMessage()),
          Optional.of(e));
    }
  }

  /**
   * Returns the shortest prefix of a path at which the target has no link.
   *
   * @throws IllegalArgumentException if the path is that of the root group
   * @throws IllegalStateException if the whole path is in use
   */
  private String firstFree(String path) {
    Group group = target.root();
    StringBuilder part = new StringBuilder();
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      if (!part.isEmpty()) {
        group = target.group(part.toString());
      }
      part.append('/').append(name);
      if (group.links().stream().noneMatch(link -> link.name().equals(name))) {
        return part.toString();
      }
    }
    if (part.isEmpty()) {
      throw new IllegalArgumentException("a path must name something: path=" + path);
    }
    throw new IllegalStateException("the name is taken: path=" + part + " file=" + target.path());
  }

  /**
   * Copies objects.
   *
   * @param own the storage change that is requested for a single dataset; empty if there is none
   * @param made the links to remove after a failure
   */
  private void copy(H5Object object, ObjectPath to, Optional<StorageChange> own, Set<String> made) {
    CopyPlan plan =
        steps.before(
            Operation.CREATE_OBJECT, to.toString(), () -> CopyPlan.of(object, to, how.options()));
    boolean done = false;
    try {
      Map<ObjectPath, StorageChange> changes = createAll(plan, own);
      CopiedReferences references = new CopiedReferences(plan, target, how.options());
      for (CopyPlan.Planned<Dataset> dataset : plan.datasets()) {
        new ElementCopy(
                dataset.open().get(),
                target.dataset(dataset.to().toString()),
                changes.getOrDefault(dataset.to(), StorageChange.none()),
                references,
                how.progress())
            .copy();
      }
      new MapCopy(how.source(), target, references).copy(plan);
      if (!how.options().contains(CopyOption.WITHOUT_ATTRIBUTES)) {
        attributes(plan, new CopiedAttributes(target, references));
      }
      done = true;
    } finally {
      if (!done) {
        // The original failure is reported, not a failure to unlink.
        made.forEach(link -> new LocalStatus().attempt(() -> target.unlink(link)));
      }
    }
  }

  private Map<ObjectPath, StorageChange> createAll(CopyPlan plan, Optional<StorageChange> own) {
    for (CopyPlan.Planned<Group> group : plan.groups()) {
      String path = group.to().toString();
      if (!path.equals("/")) {
        Group unused = target.createGroup(path);
      }
    }
    for (CopyPlan.Planned<NamedDatatype> type : plan.datatypes()) {
      NamedDatatype unused =
          target.createDatatype(type.to().toString(), type.open().get().datatype());
    }
    for (CopyPlan.Planned<MapObject> map : plan.maps()) {
      MapObject from = map.open().get();
      MapObject unused = target.createMap(map.to().toString(), from.keyType(), from.valueType());
    }
    StorageChoices choices = new StorageChoices(how, plan, own);
    Map<ObjectPath, StorageChange> changes = new HashMap<>();
    for (CopyPlan.Planned<Dataset> dataset : plan.datasets()) {
      StorageChange change = choices.create(dataset);
      if (!change.isNone()) {
        changes.put(dataset.to(), change);
      }
    }
    for (CopyPlan.NewLink link : plan.links()) {
      create(link);
    }
    return changes;
  }

  private void create(CopyPlan.NewLink link) {
    String path = link.path().toString();
    switch (link) {
      case CopyPlan.HardLink(_, ObjectPath object) ->
          target.createHardLink(path, object.toString());
      case CopyPlan.OtherLink(_, Group.Soft(_, String to)) -> target.createSoftLink(path, to);
      case CopyPlan.OtherLink(_, Group.External(_, String file, String to)) ->
          target.createExternalLink(path, file, to);
      case CopyPlan.OtherLink other ->
          throw new IllegalStateException("a link of another kind: " + other.link());
    }
  }

  private void attributes(CopyPlan plan, CopiedAttributes copies) {
    List<CopyPlan.Planned<? extends H5Object>> all = new ArrayList<>(plan.groups());
    all.addAll(plan.datatypes());
    all.addAll(plan.datasets());
    all.addAll(plan.maps());
    for (CopyPlan.Planned<? extends H5Object> each : all) {
      copies.copy(each.open().get(), target.object(each.to().toString()));
    }
  }
}
