package io.skerry;

import io.skerry.collective.CollectiveFile;
import io.skerry.collective.Operation;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Copies objects within a file or from one into another: groups with all below them, datasets of
 * every kind, committed datatypes, attributes, links with their order, comments and times. Each
 * object is copied once, whatever leads to it. Elements are copied as they are stored, without
 * decoding, unless they hold addresses or are to be stored otherwise; the ranks share the work, and
 * none holds more than a few megabytes, or one chunk. Both files must be open on the same ranks.
 * Methods that copy are collective.
 *
 * <p>Virtual datasets and those in external files keep their references to other files, whose names
 * count from the folder of the copy then, unless they are to be stored otherwise.
 */
public final class ObjectCopier {
  private final H5File source;
  private final H5File target;
  private final Set<CopyOption> options;
  private final Function<Dataset, StorageChange> storage;
  private final LongConsumer progress;

  private ObjectCopier(
      H5File source,
      H5File target,
      Set<CopyOption> options,
      Function<Dataset, StorageChange> storage,
      LongConsumer progress) {
    this.source = source;
    this.target = target;
    this.options = options;
    this.storage = storage;
    this.progress = progress;
  }

  /** A copier that stores everything as it is. */
  public static ObjectCopier between(H5File source, H5File target, CopyOption... options) {
    Set<CopyOption> set = EnumSet.noneOf(CopyOption.class);
    set.addAll(Arrays.asList(options));
    return new ObjectCopier(source, target, set, _ -> StorageChange.none(), _ -> {});
  }

  /**
   * The same, storing datasets otherwise.
   *
   * @param change tells how, the same on all ranks
   */
  public ObjectCopier storing(Function<Dataset, StorageChange> change) {
    return new ObjectCopier(source, target, options, change, progress);
  }

  /**
   * The same with an observer.
   *
   * @param watcher hears of bytes of elements that are done, on all ranks together
   */
  public ObjectCopier watchedBy(LongConsumer watcher) {
    return new ObjectCopier(source, target, options, storage, watcher);
  }

  /**
   * Copies an object. Collective.
   *
   * @param from path of the object
   * @param to path of the copy; missing groups above are created
   * @throws io.skerry.collective.CollectiveException if the name is taken, or something cannot be
   *     read; then nothing leads to what was copied
   */
  public void copy(String from, String to) {
    run(
        to,
        tree -> {
          new Builder(target).checkFree(to);
          long root = source.tree().rootAddress();
          return Optional.of(tree.add(new Resolver(source).locate(root, from), from));
        });
  }

  /**
   * Copies what is in the root group, and its attributes, into that of a new file. Collective.
   *
   * @throws io.skerry.collective.CollectiveException if something cannot be read; the file is to be
   *     discarded then
   */
  public void copyAll() {
    run(
        "/",
        tree -> {
          if (!target.root().links().isEmpty()) {
            throw new IllegalArgumentException("not a new file: file=" + target.path());
          }
          tree.addInto(
              new CopyOrigin(source, source.tree().rootAddress()), target.tree().rootAddress());
          return Optional.empty();
        });
  }

  /**
   * @param start copies the first headers; the address of what is to be linked
   */
  private void run(String to, Function<CopyTree, Optional<Long>> start) {
    if (source.collective().access() != CollectiveFile.Access.READ) {
      // What is copied as it is stored has to be stored.
      source.flush();
    }
    CopyTarget place = new CopyTarget(target);
    CopyTree tree = new CopyTree(place, options, storage);
    boolean done = false;
    try {
      Optional<Long> top = together(to, () -> start.apply(tree));
      ReferenceRule rule = new ReferenceRule(tree, target, options);
      if (options.contains(CopyOption.EXPAND_REFERENCES)) {
        new ReferencedObjects(source, target, tree).add();
      }
      for (CopiedDataset dataset : tree.datasets()) {
        H5File from = dataset.from().file();
        HeapTransfer transfer =
            new HeapTransfer(dataset, place, rule.objects(from), rule.keepsAll(from));
        new CopiedElements(dataset, place, transfer, progress).copy(target);
      }
      boolean linked = together(to, () -> link(tree, rule, top, to));
      place.commit(to);
      done = linked;
    } finally {
      if (!done) {
        tree.forget();
      }
    }
  }

  private boolean link(CopyTree tree, ReferenceRule rule, Optional<Long> top, String to) {
    tree.addAttributes(rule);
    top.ifPresent(tree::linked);
    for (long copy : tree.unlinked()) {
      new Builder(target).firstLink("/~obj_pointed_by_" + Long.toUnsignedString(copy), copy);
      tree.linked(copy);
    }
    tree.link();
    top.ifPresent(copy -> new Builder(target).firstLink(to, copy));
    return true;
  }

  private <T> T together(String to, Supplier<T> step) {
    return target
        .collective()
        .together(Operation.COPY, to, source.path() + " " + options, step::get);
  }
}
