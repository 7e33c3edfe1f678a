package io.skerry.internal.copy;

import io.skerry.CopyOption;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.copy.element.CopiedDataset;
import io.skerry.internal.copy.element.CopiedElements;
import io.skerry.internal.copy.element.CopyProgress;
import io.skerry.internal.copy.element.HeapTransfer;
import io.skerry.internal.copy.header.CopyTarget;
import io.skerry.internal.copy.header.RebasedNames;
import io.skerry.internal.file.LinkEditor;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.file.Resolver;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import io.skerry.spi.Connectors;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** Copies objects within a file or between two files. Collective. */
public final class ObjectCopy {
  private final ObjectCopier how;
  private final NativeFile old;
  private final NativeFile made;
  private final Set<CopyOption> options;

  public ObjectCopy(ObjectCopier how) {
    this.how = how;
    this.old = hdf5(how.source());
    this.made = hdf5(how.target());
    this.options = how.options();
  }

  private static NativeFile hdf5(H5File file) {
    if (Connectors.stored(file) instanceof NativeFile stored) {
      return stored;
    }
    throw new UnsupportedFeatureException(
        "copying objects of a file of this connector", file.path().toString());
  }

  /**
   * Copies an object and all objects below it.
   *
   * @param from the path of the object in the source
   * @param to the path of the copy in the target, which must not be in use yet
   */
  public void copy(String from, String to) {
    LocalStatus status = new LocalStatus();
    status.attempt(() -> {
      Objects.requireNonNull(from, "the path of the object is null");
      Objects.requireNonNull(to, "the path of the copy is null");
    });
    if (!status.isGood()) {
      throw old.refused(Operation.COPY, "", status.failure().orElseThrow());
    }
    alone(to, () -> copyTo(from, to));
  }

  /**
   * Copies the members and the attributes of the root group of the source into the root group of
   * the target, which must have no members, and no attribute with the same name as one to be
   * copied.
   */
  public void copyAll() {
    alone("/", this::copyRoot);
  }

  /** Runs the copy with exclusive access to both files. */
  private void alone(String to, Runnable steps) {
    boolean unused =
        FileGate.collectively(
            Operation.COPY,
            to,
            made.gate(),
            old.gate(),
            () -> {
              steps.run();
              return true;
            });
  }

  private void copyTo(String from, String to) {
    run(
        from,
        to,
        tree -> {
          new LinkEditor(made).checkFree(to);
          long root = old.tree().rootAddress();
          return Optional.of(tree.add(new Resolver(old).locate(root, from), from));
        });
  }

  private void copyRoot() {
    run(
        "/",
        "/",
        tree -> {
          if (!made.root().links().isEmpty()) {
            throw new IllegalArgumentException("not a new file: file=" + made.path());
          }
          tree.addInto(
              new ObjectLocation(old, old.tree().rootAddress()), made.tree().rootAddress());
          return Optional.empty();
        });
  }

  /**
   * Runs the steps of a copy.
   *
   * @param from the path of the object in the source
   * @param to the path of the copy
   * @param start a function that copies the first headers, and returns the address of the object to
   *     link, or empty if members are added to the existing root group, which needs no link
   */
  private void run(String from, String to, Function<CopyTree, Optional<Long>> start) {
    if (old.collective().access() != FileAccess.READ) {
      // Raw copies read flushed data only, so pending writes are flushed first.
      old.flush();
    }
    CopyTarget place = new CopyTarget(made, names(to));
    CopyTree tree = new CopyTree(place, options, new StorageChanges(how, old));
    boolean done = false;
    try {
      Optional<Long> top = together(to, from, () -> start.apply(tree));
      ReferenceRule rule = new ReferenceRule(tree.objects(), made, options);
      if (options.contains(CopyOption.EXPAND_REFERENCES)) {
        new ReferencedObjects(old, made, tree).add();
      }
      if (!tree.fills().isEmpty()) {
        // The fill values must be complete before elements are stored, because newly allocated
        // space may be filled with them.
        boolean unused = together(to, from, () -> storeFills(tree, rule));
      }
      CopyProgress progress = new CopyProgress(how.progress());
      List<CopiedElements> elements =
          together(
              to,
              from,
              () ->
                  tree.datasets().stream()
                      .map(dataset -> elements(dataset, place, rule, progress))
                      .toList());
      elements.forEach(CopiedElements::copy);
      boolean unused =
          together(
              to,
              from,
              () -> {
                progress.requireWatched();
                return finish(tree, rule);
              });
      // The copies are linked only after all their data is in the file, so that they can be deleted
      // if a write fails.
      place.commit(to);
      done = together(to, from, () -> link(tree.objects(), top, to));
    } finally {
      if (!done) {
        tree.objects().delete();
      }
    }
  }

  /** Returns the rule that changes the names of source files; empty if the names are kept. */
  private Optional<RebasedNames> names(String to) {
    if (!options.contains(CopyOption.REBASE_VIRTUAL) || old.equals(made)) {
      return Optional.empty();
    }
    Path folder =
        how.folder().orElseGet(() -> made.path().toAbsolutePath().resolveSibling("").normalize());
    return Optional.of(
        new RebasedNames(folder, to.equals("/") ? RebasedNames.Own.KEPT : RebasedNames.Own.NAMED));
  }

  private CopiedElements elements(
      CopiedDataset dataset, CopyTarget place, ReferenceRule rule, CopyProgress progress) {
    NativeFile holder = dataset.from().file();
    HeapTransfer transfer =
        new HeapTransfer(dataset, place, rule.objects(holder), rule.keepsAll(holder));
    return new CopiedElements(dataset, made, transfer, progress);
  }

  private static boolean storeFills(CopyTree tree, ReferenceRule rule) {
    tree.storeFills(rule);
    return true;
  }

  private static boolean finish(CopyTree tree, ReferenceRule rule) {
    tree.finish(rule);
    return true;
  }

  private boolean link(CopiedObjects objects, Optional<Long> top, String to) {
    LinkEditor links = new LinkEditor(made);
    top.ifPresent(objects::linked);
    for (long copy : objects.unlinked()) {
      links.firstLink("/~obj_pointed_by_" + Long.toUnsignedString(copy), copy);
      long unused = objects.linked(copy);
    }
    objects.storeLinkCounts();
    top.ifPresent(copy -> links.firstLink(to, copy));
    return true;
  }

  private <T> T together(String to, String from, Callable<T> step) {
    String arguments = from + " of " + old.path() + " " + options + " " + how.named();
    return made.collective()
        .steps()
        .together(
            Operation.COPY,
            to,
            arguments,
            () -> old.collective().withinStepOf(made.collective(), step));
  }
}
