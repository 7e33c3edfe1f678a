package io.skerry.internal.dataset;

import io.skerry.DatasetWrite;
import io.skerry.VirtualLayout;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.share.SharedRead;
import io.skerry.datatype.Datatype;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.StoredElements;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The elements of a virtual dataset, which are stored in other datasets. Reads are local, except
 * those whose names end in "Together": each rank opens and reads the sources independently. Changes
 * are collective.
 */
public interface VirtualContent {
  /**
   * Returns the extent of the dataset; unlimited mappings end where their sources end.
   *
   * @param stored the extent in the file
   * @throws UntrustedFileException if the policy refuses a source file that the extent depends on
   */
  Shape extent(Shape stored);

  /** Returns whether the extent depends on the extents of sources. */
  boolean growsWithSources();

  /**
   * Checks a new extent of the dataset, and returns it.
   *
   * @param stored the new extent in the file
   * @throws IllegalArgumentException if mappings exceed the extent, if a mapping selects all
   *     elements, or if the sources determine a different extent
   */
  Shape resized(Shape stored);

  /**
   * Reads the selected elements that have a source. The others keep the fill value, which the
   * buffer already contains.
   *
   * @param shape the extent of the dataset
   * @param type the memory datatype, to which the values of each source are converted
   * @param target the buffer, with one value for each selected element, in selection order
   */
  void read(Shape shape, Datatype type, Selection selection, TypedMemory target);

  /**
   * Reads the elements that each rank selects, like {@link #read}. A chunk that several ranks need
   * is read by one of them. Collective; the caller must have the ranks agree on whether any of them
   * failed.
   */
  void readTogether(
      SharedRead read, Shape shape, Datatype type, Selection selection, TypedMemory target);

  /**
   * Reads elements that contain variable-length values or references, with copies of the heap
   * objects to which they refer. A reference that is stored in another file refers to an object in
   * that file.
   *
   * @param dataset the virtual dataset
   * @param shape the extent of the dataset
   */
  StoredElements readElements(NativeDataset dataset, Shape shape, Selection selection);

  /**
   * Reads the elements that each rank selects, like {@link #readElements}. A chunk that several
   * ranks need is read by one of them, which sends the elements and their heap objects to the
   * others. Collective; the caller must have the ranks agree on whether any of them failed.
   *
   * @return the elements; empty if this rank has failed
   */
  Optional<StoredElements> readElementsTogether(
      SharedRead read, NativeDataset dataset, Shape shape, Selection selection);

  /**
   * Returns the defined elements of a selection: those whose source exists and defines them. A
   * point selection keeps its order.
   *
   * @param shape the extent of the dataset
   */
  Selection defined(Shape shape, Selection selection);

  /**
   * Returns the defined elements of the selection of each rank, like {@link #defined}. A chunk that
   * several ranks need is decoded by one of them. Collective; the caller must have the ranks agree
   * on whether any of them failed.
   *
   * @return the elements; empty if this rank has failed
   */
  Optional<Selection> definedTogether(SharedRead read, Shape shape, Selection selection);

  /**
   * Returns whether a source is sparse, so that elements of the dataset may be undefined. Examines
   * a limited number of sources when it is first called; those that cannot be opened are skipped.
   */
  boolean isSparse();

  /**
   * Returns the exceptions with which the policy refuses source files, one for each name of a
   * refused file. For a mapping with one source per block, only the file of the first block is
   * checked.
   */
  List<UntrustedFileException> refusals();

  /**
   * Returns the source files that exist and are not refused, and the other files that contain
   * elements of the sources.
   */
  Set<Path> elementFiles();

  /** Returns the mappings. */
  VirtualLayout layout();

  /**
   * Writes elements to the sources that contain them. Refuses elements that several existing
   * sources contain. Collective, within the gate.
   *
   * @param dataset the virtual dataset
   */
  void write(NativeDataset dataset, Selection selection, DatasetWrite.Content content);

  /**
   * Removes elements from their sources, which must be sparse. Collective, within the gate.
   *
   * @param dataset the virtual dataset
   */
  void erase(NativeDataset dataset, Selection selection);
}
