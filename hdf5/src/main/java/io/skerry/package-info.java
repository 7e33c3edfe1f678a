/**
 * Files, groups, datasets and attributes: the API of Skerry.
 *
 * <p><b>Files.</b> {@link io.skerry.H5File} creates and opens files, in one process or on all ranks
 * of a {@link io.skerry.mpi.Communicator}, with {@link io.skerry.parallel.FileOptions}. Its objects
 * are {@link io.skerry.Group}, {@link io.skerry.Dataset} and {@link io.skerry.NamedDatatype}, all
 * of them {@link io.skerry.H5Object}. {@link io.skerry.DatasetSpec} describes a new dataset: a
 * {@link io.skerry.datatype.Datatype}, a {@link io.skerry.selection.Shape}, chunks, {@link
 * io.skerry.filter.Filters}, an {@link io.skerry.AccessPattern}.
 *
 * {@snippet :
 * try (H5File file = H5File.create(Path.of("run.h5"))) {
 *   DatasetSpec spec = DatasetSpec.of(Datatype.F32, Shape.of(100, 512).unlimited(0))
 *       .chunked(10, 512)
 *       .filters(Filters.shuffle(), Filters.deflate(4));
 *   Dataset data = file.createDataset("/entry/data", spec);
 *   data.write(Selection.at(0, 0).extent(1, 512), new float[512]);
 *   data.extend(200);
 * }
 * }
 *
 * <p><b>Reading.</b> A {@link io.skerry.selection.Selection} names elements; methods such as {@link
 * io.skerry.Dataset#readFloats} convert them into arrays, and {@link io.skerry.Dataset#readValues}
 * converts elements of every type into {@link io.skerry.value.Value}. {@link
 * io.skerry.ChunkAlignedBlocks} divides a dataset into parts that fit into memory.
 *
 * {@snippet :
 * try (H5File file = H5File.open(Path.of("run.h5"))) {
 *   Dataset data = file.dataset("/entry/data");
 *   float[] row = data.readFloats(Selection.at(7, 0).extent(1, 512));
 *   float[] every = data.readFloats(Selection.at(0, 0).stride(1, 8).count(100, 64));
 * }
 * }
 *
 * <p><b>Sparse datasets.</b> Only elements that were written exist; {@link
 * io.skerry.Dataset#defined} selects them, {@link io.skerry.Dataset#erase} removes elements.
 *
 * {@snippet :
 * Dataset hits = file.createDataset(
 *     "/entry/hits", DatasetSpec.of(Datatype.U16, Shape.of(1000, 1024, 1024)).sparse(1, 256, 256));
 * hits.write(Selection.points(new long[][] {{7, 100, 200}, {7, 100, 201}}), new short[] {3, 4});
 * Selection found = hits.defined(Selection.at(7, 0, 0).extent(1, 1024, 1024));
 * short[] counts = hits.readShorts(found);
 * hits.erase(found);
 * }
 *
 * <p><b>Ranks.</b> The documentation of each method contains the word "Collective" or "Local". All
 * ranks of a communicator call the collective methods in the same order. "Thread-safe" methods may
 * be called by any thread; a file of one rank is thread-safe as a whole. {@link
 * io.skerry.H5File#writeAll} takes several {@link io.skerry.DatasetWrite}; {@link
 * io.skerry.Dataset#independent} reads and writes without the other ranks. A failure on one rank is
 * a {@link io.skerry.parallel.CollectiveException} on all.
 *
 * {@snippet :
 * try (Mpi mpi = Mpi.start();
 *     H5File file = H5File.create(Path.of("run.h5"), mpi.world())) {
 *   int rank = mpi.world().rank();
 *   Dataset data = file.createDataset("/data", spec);
 *   data.write(Selection.at(10L * rank, 0).extent(10, 512), new float[10 * 512]);
 * }
 * }
 *
 * <p><b>Attributes and links.</b> An {@link io.skerry.Attribute} belongs to any object. Groups hold
 * {@link io.skerry.Group.Link links}: hard, soft, external. {@link io.skerry.LinkOrder} and {@link
 * io.skerry.AttributeOrder} select whether the order of their creation is stored.
 *
 * {@snippet :
 * data.setAttribute(Attribute.of("gain", 1.5));
 * double gain = data.attribute("gain").orElseThrow().doubles()[0];
 * file.createSoftLink("/latest", "/entry/data");
 * file.createExternalLink("/raw", "raw.h5", "/entry/data");
 * }
 *
 * <p><b>Copies, verification, statistics.</b> {@link io.skerry.H5File#copy} copies objects with
 * {@link io.skerry.CopyOption}; {@link io.skerry.ObjectCopier} also changes their storage by {@link
 * io.skerry.StorageChange} and {@link io.skerry.SparsityConversion}. {@link io.skerry.Verification}
 * checks a whole file, reports each {@link io.skerry.Verification.Finding} and returns a {@link
 * io.skerry.SpaceReport} by {@link io.skerry.SpaceReport.Kind}. {@link io.skerry.StorageInfo},
 * {@link io.skerry.StorageInfo.Usage}, {@link io.skerry.StorageStatistics}, {@link
 * io.skerry.ChunkTable} and {@link io.skerry.ChunkInfo} describe how a dataset is stored.
 *
 * {@snippet :
 * try (H5File source = H5File.open(Path.of("run.h5"));
 *     H5File target = H5File.create(Path.of("copy.h5"))) {
 *   source.copy("/entry", target, "/entry");
 * }
 * }
 *
 * <p><b>Errors.</b> A missing object is a {@link io.skerry.NoSuchObjectException}, a damaged file a
 * {@link io.skerry.exception.FormatException}, a closed file an {@link IllegalStateException}. No
 * argument may be null, which is a {@link NullPointerException}. Stores other than HDF5 files
 * implement {@link io.skerry.spi}.
 */
package io.skerry;
