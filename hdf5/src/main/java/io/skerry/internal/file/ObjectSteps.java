package io.skerry.internal.file;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.LinkOrder;
import io.skerry.NoSuchObjectException;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import io.skerry.spi.StoredObject;
import java.util.concurrent.Callable;

/**
 * Opens, creates, links and deletes the objects of a file. Collective: each operation takes effect
 * either on all ranks or on none.
 */
final class ObjectSteps {
  private final NativeFile file;

  ObjectSteps(NativeFile file) {
    this.file = file;
  }

  /**
   * Opens the object at a path.
   *
   * @throws NoSuchObjectException if no rank finds an object at the path
   */
  StoredObject open(String path) {
    try {
      return take(Operation.OPEN_OBJECT, path, path, () -> new Resolver(file).resolve(path));
    } catch (CollectiveException e) {
      boolean everywhere = e.failingRanks().size() == file.collective().ranks().size();
      if (everywhere && e.getCause() instanceof NoSuchObjectException missing) {
        throw missing;
      }
      throw e;
    }
  }

  /**
   * Opens the dataset at a path.
   *
   * @throws NoSuchObjectException if there is no dataset at the path
   */
  NativeDataset openDataset(String path) {
    return dataset(path, open(path));
  }

  /**
   * Opens the dataset at a path, in a file that a single rank has open. Local.
   *
   * @throws NoSuchObjectException if there is no dataset at the path
   */
  NativeDataset openHere(String path) {
    return file.gate().exclusively(() -> dataset(path, new Resolver(file).resolve(path)));
  }

  private NativeDataset dataset(String path, StoredObject found) {
    if (found instanceof NativeDataset dataset) {
      return dataset;
    }
    throw Resolver.missing(file, "not a dataset", path);
  }

  NativeGroup createGroup(String path) {
    return create(path, "group", () -> new GroupCreation(file).create(path));
  }

  NativeGroup createGroup(String path, LinkOrder order, AttributeOrder attributes) {
    return create(
        path,
        "group " + order + " " + attributes,
        () -> new GroupCreation(file).create(path, order, attributes));
  }

  NativeDatatype createDatatype(String path, Datatype type) {
    return create(path, type.toString(), () -> CommittedTypes.create(file, path, type));
  }

  /**
   * Creates a dataset and, if its allocation is early, requests its space in the same collective
   * operation, so that no thread writes to it in between. If the request fails, the dataset exists
   * nevertheless.
   */
  NativeDataset createDataset(String path, DatasetSpec spec) {
    return file.gate()
        .collectively(Operation.CREATE_OBJECT, path, () -> createWithSpace(path, spec));
  }

  private NativeDataset createWithSpace(String path, DatasetSpec spec) {
    if (spec.virtual().isPresent()) {
      return new VirtualCreation(file).create(path, spec, spec.virtual().get());
    }
    NativeDataset dataset =
        create(path, spec.describe(), () -> new DatasetCreation(file).create(path, spec));
    if (spec.allocation() == DatasetSpec.Allocation.EARLY) {
      takeSpace(dataset);
    }
    return dataset;
  }

  /**
   * Requests space for a new dataset. The dataset already exists, so an interrupt is deferred until
   * the request has succeeded or failed.
   */
  private static void takeSpace(NativeDataset dataset) {
    boolean interrupted = Thread.interrupted();
    boolean taken = false;
    while (!taken) {
      try {
        dataset.takeSpace();
        taken = true;
      } catch (RequestInterruptedException e) {
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Refuses to create a map: fails on all ranks, and checks first that the ranks pass equal
   * arguments, as for any other new object.
   */
  StoredObject.StoredMap refuseMap(String path, Datatype key, Datatype value) {
    return create(
        path,
        "map " + key + " " + value,
        () -> {
          throw new UnsupportedFeatureException(
              "map in an HDF5 file, which has no such object; a container can store maps", path);
        });
  }

  void createHardLink(String path, String targetPath) {
    change(Operation.LINK, path, targetPath, () -> links().hardLink(path, targetPath));
  }

  void createSoftLink(String path, String targetPath) {
    change(Operation.CREATE_OBJECT, path, targetPath, () -> links().softLink(path, targetPath));
  }

  void createExternalLink(String path, String targetFile, String targetPath) {
    change(
        Operation.CREATE_OBJECT,
        path,
        targetFile + ":" + targetPath,
        () -> links().externalLink(path, targetFile, targetPath));
  }

  void move(String from, String to) {
    change(Operation.MOVE, from, to, () -> links().move(from, to));
  }

  void unlink(String path) {
    change(Operation.UNLINK, path, "", () -> new ObjectRemoval(file).unlink(path));
  }

  private LinkEditor links() {
    return new LinkEditor(file);
  }

  private <T> T create(String path, String arguments, Callable<T> step) {
    return take(Operation.CREATE_OBJECT, path, arguments, step);
  }

  private void change(Operation operation, String path, String arguments, Runnable step) {
    boolean unused =
        take(
            operation,
            path,
            arguments,
            () -> {
              step.run();
              return true;
            });
  }

  private <T> T take(Operation operation, String path, String arguments, Callable<T> step) {
    return file.collective().steps().together(operation, path, arguments, step);
  }
}
