package io.skerry;

import io.skerry.collective.CollectiveFile;
import io.skerry.collective.FileGate;
import io.skerry.collective.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Copies objects within a file or from one into another: groups with all below them, datasets of
 * every kind, committed datatypes, attributes, links with their order, comments and times. Each
 * object is copied once, whatever leads to it. Elements are copied as they are stored, without
 * decoding, unless they hold addresses or are to be stored otherwise; the ranks share the work, and
 * none holds more than a few megabytes, or one chunk. Both files must be HDF5 files, open on the
 * same ranks. Methods that copy are collective. Immutable.
 *
 * <p>Virtual datasets and those in external files keep their references to other files, whose names
 * count from the folder of the copy then, unless they are to be stored otherwise.
 */
public final class ObjectCopier {
  private final H5File source;
  private final H5File target;
  private final Set<CopyOption> options;
  private final Function<Dataset, StorageChange> storage;
  private final List<Special> specials;
  private final LongConsumer progress;

  /** A dataset that is to be stored otherwise than all others. */
  private record Special(String path, StorageChange change) {}

  private ObjectCopier(
      H5File source,
      H5File target,
      Set<CopyOption> options,
      Function<Dataset, StorageChange> storage,
      List<Special> specials,
      LongConsumer progress) {
    this.source = source;
    this.target = target;
    this.options = options;
    this.storage = storage;
    this.specials = List.copyOf(specials);
    this.progress = progress;
  }

  /** A copier that stores everything as it is. */
  public static ObjectCopier between(H5File source, H5File target, CopyOption... options) {
    Set<CopyOption> set = EnumSet.noneOf(CopyOption.class);
    set.addAll(Arrays.asList(options));
    return new ObjectCopier(source, target, set, _ -> StorageChange.none(), List.of(), _ -> {});
  }

  /**
   * The same, storing datasets otherwise.
   *
   * @param change tells how, the same on all ranks
   */
  public ObjectCopier storing(Function<Dataset, StorageChange> change) {
    return new ObjectCopier(source, target, options, change, specials, progress);
  }

  /** The same, storing the dataset at a path of the source otherwise, whatever holds for all. */
  public ObjectCopier storing(String path, StorageChange change) {
    List<Special> more = new ArrayList<>(specials);
    more.add(new Special(path, change));
    return new ObjectCopier(source, target, options, storage, more, progress);
  }

  /**
   * The same with an observer.
   *
   * @param watcher hears of bytes of elements that are done, on all ranks together
   */
  public ObjectCopier watchedBy(LongConsumer watcher) {
    return new ObjectCopier(source, target, options, storage, specials, watcher);
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
    NativeFile old = source.hdf5();
    alone(to, () -> copyTo(old, from, to));
  }

  /** Nobody else changes either file before the copy is whole. */
  private void alone(String to, Runnable steps) {
    boolean unused =
        FileGate.collectively(
            Operation.COPY,
            to,
            target.hdf5().gate(),
            source.hdf5().gate(),
            () -> {
              steps.run();
              return true;
            });
  }

  private void copyTo(NativeFile old, String from, String to) {
    run(
        from,
        to,
        tree -> {
          new Builder(target.hdf5()).checkFree(to);
          long root = old.tree().rootAddress();
          return Optional.of(tree.add(new Resolver(old).locate(root, from), from));
        });
  }

  /**
   * Copies what is in the root group, and its attributes, into that of a new file. Collective.
   *
   * @throws io.skerry.collective.CollectiveException if something cannot be read; the file is to be
   *     discarded then
   */
  public void copyAll() {
    alone("/", this::copyRoot);
  }

  private void copyRoot() {
    NativeFile old = source.hdf5();
    NativeFile made = target.hdf5();
    run(
        "/",
        "/",
        tree -> {
          if (!made.root().links().isEmpty()) {
            throw new IllegalArgumentException("not a new file: file=" + made.path());
          }
          tree.addInto(new CopyOrigin(old, old.tree().rootAddress()), made.tree().rootAddress());
          return Optional.empty();
        });
  }

  /**
   * @param from path of the object
   * @param start copies the first headers; the address of what is to be linked
   */
  private void run(String from, String to, Function<CopyTree, Optional<Long>> start) {
    NativeFile old = source.hdf5();
    NativeFile made = target.hdf5();
    if (old.collective().access() != CollectiveFile.Access.READ) {
      // What is copied as it is stored has to be stored.
      old.flush();
    }
    CopyTarget place = new CopyTarget(made);
    CopyTree tree = new CopyTree(place, options, storageOf(old));
    boolean done = false;
    try {
      Optional<Long> top = together(made, to, from, () -> start.apply(tree));
      ReferenceRule rule = new ReferenceRule(tree, made, options);
      if (options.contains(CopyOption.EXPAND_REFERENCES)) {
        new ReferencedObjects(old, made, tree).add();
      }
      for (CopiedDataset dataset : tree.datasets()) {
        NativeFile holder = dataset.from().file();
        HeapTransfer transfer =
            new HeapTransfer(dataset, place, rule.objects(holder), rule.keepsAll(holder));
        new CopiedElements(dataset, place, transfer, progress).copy(made);
      }
      boolean linked = together(made, to, from, () -> link(tree, rule, top, to));
      place.commit(to);
      done = linked;
    } finally {
      if (!done) {
        tree.forget();
      }
    }
  }

  private BiFunction<CopyOrigin, NativeDataset, StorageChange> storageOf(NativeFile old) {
    Map<CopyOrigin, StorageChange> named = new HashMap<>();
    for (Special one : specials) {
      if (!(old.object(one.path) instanceof NativeDataset)) {
        throw new NoSuchObjectException("not a dataset", one.path, old.path().toString());
      }
      long root = old.tree().rootAddress();
      named.put(new Resolver(old).locate(root, one.path), one.change);
    }
    return (from, dataset) -> {
      StorageChange special = named.get(from);
      return special == null
          ? storage.apply(new Dataset(source.owning(dataset.file()), dataset))
          : special;
    };
  }

  private boolean link(CopyTree tree, ReferenceRule rule, Optional<Long> top, String to) {
    Builder builder = new Builder(target.hdf5());
    tree.addLinks();
    tree.addAttributes(rule);
    top.ifPresent(tree::linked);
    for (long copy : tree.unlinked()) {
      builder.firstLink("/~obj_pointed_by_" + Long.toUnsignedString(copy), copy);
      tree.linked(copy);
    }
    tree.count();
    top.ifPresent(copy -> builder.firstLink(to, copy));
    return true;
  }

  private <T> T together(NativeFile made, String to, String from, Callable<T> step) {
    String arguments = from + " of " + source.path() + " " + options + " " + specials;
    return made.collective().together(Operation.COPY, to, arguments, step);
  }
}
