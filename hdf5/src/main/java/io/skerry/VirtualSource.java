package io.skerry;

import io.skerry.selection.Selection;
import java.nio.file.Path;

/**
 * The source of a part of a virtual dataset: elements of a dataset in the same or in another file.
 * The source need not exist when the virtual dataset is created or later; elements whose source is
 * missing have the fill value.
 *
 * <p>In the names of the file and of the dataset, {@code %b} is replaced by the number of a block
 * of the virtual selection, from 0, and {@code %%} by a percent sign. A name with {@code %b} names
 * one source per block.
 *
 * @param file the name of the file; {@value #SAME_FILE} is the file of the virtual dataset. A
 *     relative name is looked up in the {@linkplain io.skerry.parallel.FileOptions#virtualPrefix
 *     prefix folders}, in the folder of that file, and in the working folder, in this order. If no
 *     file is found, the last component of the name is looked up in the folder of that file.
 * @param dataset the path of the dataset in the file
 * @param selection the elements of the dataset, whose extent is not known here; all, none, a
 *     hyperslab or a union of blocks
 */
public record VirtualSource(String file, String dataset, Selection selection) {
  /** The name that denotes the file of the virtual dataset itself. */
  public static final String SAME_FILE = ".";

  /**
   * Returns a source that consists of all elements of a dataset. Local, thread-safe; does not fail.
   *
   * @param file the name of the file, which may contain {@code %b}; {@code %%} is a percent sign
   * @param dataset the path of the dataset, in the same syntax
   * @return the source
   */
  public static VirtualSource of(String file, String dataset) {
    return new VirtualSource(file, dataset, Selection.all());
  }

  /**
   * Returns a source that consists of all elements of a dataset in a file whose name is used
   * literally. Local, thread-safe; does not fail.
   *
   * @param file the path of the file; percent signs have no special meaning
   * @param dataset the path of the dataset, in which {@code %b} and {@code %%} are replaced
   * @return the source
   */
  public static VirtualSource of(Path file, String dataset) {
    return of(file.toString().replace("%", "%%"), dataset);
  }

  /**
   * Returns a source that consists of all elements of a dataset in the file of the virtual dataset.
   * Local, thread-safe; does not fail.
   *
   * @param dataset the path of the dataset, in which {@code %b} and {@code %%} are replaced
   * @return the source
   */
  public static VirtualSource inSameFile(String dataset) {
    return of(SAME_FILE, dataset);
  }

  /**
   * Returns a source that consists of the given elements of the same dataset. Local, thread-safe;
   * does not fail.
   *
   * @param elements the elements; may be unlimited in one dimension
   * @return the changed copy
   */
  public VirtualSource select(Selection elements) {
    return new VirtualSource(file, dataset, elements);
  }

  /**
   * Returns the names and the selection, for messages. Local, thread-safe; does not fail.
   *
   * @return the text
   */
  @Override
  public String toString() {
    return file + ":" + dataset + " " + selection;
  }
}
