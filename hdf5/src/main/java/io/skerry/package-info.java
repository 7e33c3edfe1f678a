/**
 * Files, groups, datasets and attributes: the API of Skerry.
 *
 * <p><b>Files.</b> {@link io.skerry.H5File} creates and opens files, in one process or on all ranks
 * of a {@link io.skerry.mpi.Communicator}, with {@link io.skerry.parallel.FileOptions}. Its objects
 * are {@link io.skerry.Group}, {@link io.skerry.Dataset} and {@link io.skerry.NamedDatatype}, all
 * of which are {@link io.skerry.H5Object}s. {@link io.skerry.DatasetSpec} describes a new dataset:
 * a {@link io.skerry.datatype.Datatype}, a {@link io.skerry.selection.Shape}, chunks, {@link
 * io.skerry.filter.Filters}, and an {@link io.skerry.DatasetSpec.AccessPattern}.
 *
 * {@snippet class="io.skerry.OverviewSnippetsTest" region="create"}
 *
 * <p><b>Reading.</b> A {@link io.skerry.selection.Selection} specifies elements; methods such as
 * {@link io.skerry.Dataset#readFloats} convert them into arrays, and {@link
 * io.skerry.Dataset#readValues} converts elements of any type into {@link io.skerry.value.Value}s.
 * {@link io.skerry.ChunkAlignedBlocks} divides a dataset into parts that fit into memory.
 *
 * {@snippet class="io.skerry.OverviewSnippetsTest" region="read"}
 *
 * <p><b>Sparse datasets.</b> Only elements that were written exist; {@link
 * io.skerry.Dataset#defined} selects them, and {@link io.skerry.Dataset#erase} removes them.
 *
 * {@snippet class="io.skerry.OverviewSnippetsTest" region="sparse"}
 *
 * <p><b>Virtual datasets.</b> A {@link io.skerry.VirtualLayout} maps selections of a dataset to
 * {@link io.skerry.VirtualSource}s, which are elements of other datasets; {@link
 * io.skerry.DatasetSpec#virtual} creates the dataset.
 *
 * <p><b>Ranks.</b> The documentation of each method contains the word "Collective" or "Local". All
 * ranks of a communicator must call the collective methods in the same order, from the thread that
 * opened the file; if several ranks have the file open, a collective method that is called from any
 * other thread throws an {@link IllegalStateException} on that rank alone. "Thread-safe" methods
 * may be called by any thread; if only one rank has the file open, all methods of the file and its
 * objects are thread-safe. If several ranks have a container open, its local methods, too, may be
 * called only by the thread that opened it; on any other thread, a local method that accesses
 * stored objects, elements or transactions throws an {@link IllegalStateException}. {@link
 * io.skerry.H5File#writeAll} writes to several datasets, each described by a {@link
 * io.skerry.DatasetWrite}; {@link io.skerry.Dataset#independent} reads and writes without the other
 * ranks. {@link io.skerry.mpi.Mpi#start} returns the communicator of all processes that a launcher
 * has started.
 *
 * {@snippet class="io.skerry.OverviewSnippetsTest" region="ranks"}
 *
 * <p><b>Attributes and links.</b> Every object can have {@link io.skerry.Attribute}s. Groups hold
 * {@link io.skerry.Group.Link links}: hard, soft and external. {@link io.skerry.LinkOrder} and
 * {@link io.skerry.AttributeOrder} select whether their creation order is stored.
 *
 * {@snippet class="io.skerry.OverviewSnippetsTest" region="attributes"}
 *
 * <p><b>Copies, verification, statistics.</b> {@link io.skerry.H5File#copy} copies objects with
 * {@link io.skerry.CopyOption}s; {@link io.skerry.ObjectCopier} can also change their storage: it
 * applies a {@link io.skerry.StorageChange}, which may contain a {@link
 * io.skerry.SparsityConversion}. {@link io.skerry.Verification} checks a complete file, reports
 * each {@link io.skerry.Verification.Finding} and returns a {@link io.skerry.SpaceReport}, which
 * lists the bytes of each {@link io.skerry.SpaceReport.Kind}. {@link io.skerry.StorageInfo}, {@link
 * io.skerry.StorageInfo.Usage}, {@link io.skerry.StorageStatistics}, {@link io.skerry.ChunkTable}
 * and {@link io.skerry.ChunkInfo} describe how a dataset is stored.
 *
 * {@snippet class="io.skerry.OverviewSnippetsTest" region="copy"}
 *
 * <p><b>Transactions.</b> A file in a container has numbered {@link io.skerry.Transactions} and
 * versions; {@link io.skerry.H5File#openVersion} opens a version.
 *
 * <p><b>Errors.</b> A method that opens an object throws a {@link io.skerry.NoSuchObjectException}
 * if the object is missing. A method that reads the file throws a {@link
 * io.skerry.exception.FormatException} if a structure that it reads is damaged, an {@link
 * io.skerry.exception.UnsupportedFeatureException} if the structure uses a feature that Skerry does
 * not support, a {@link io.skerry.exception.MemoryLimitException} if the memory is insufficient,
 * and a {@link io.skerry.mpi.MpiException} if the file cannot be read. If the storage of a
 * container fails, a method throws a {@link RuntimeException} of the connector, whose message
 * describes the failure. Local methods throw these exceptions themselves, even if their
 * documentation does not list them.
 *
 * <p>If a collective method fails on one rank, all ranks throw a {@link
 * io.skerry.parallel.CollectiveException}; its cause on each failing rank is the exception of that
 * rank. A rank that fails with an {@link Error} other than a lack of memory throws this error
 * instead. Unless the method states otherwise, nothing has changed in this case. A call also fails
 * in this way if the ranks call different collective methods, or pass different arguments where
 * equal arguments are required. The documentation of each method lists the other exceptions that it
 * throws. If the communication between the ranks itself fails, a collective method throws a {@link
 * io.skerry.mpi.MpiException}.
 *
 * <p>A collective method that flushes ({@link io.skerry.Dataset#independent} lists these methods)
 * throws a {@link io.skerry.parallel.CommitException} on all ranks if the commit of that flush
 * fails. From then on, all other collective methods of the file except {@link
 * io.skerry.H5File#close} and {@link io.skerry.H5File#discard} throw an {@link
 * IllegalStateException}. After the file is opened again, it contains either all changes of the
 * failed flush or none. Collective methods that read or change a container also throw an {@link
 * IllegalStateException} if an earlier change could neither be completed nor undone; {@link
 * io.skerry.Transactions#abort} may end this state.
 *
 * <p>Methods that use a closed file, or the elements or the storage of a deleted dataset, throw an
 * {@link IllegalStateException}, in a collective method possibly as the cause of a {@link
 * io.skerry.parallel.CollectiveException}. Other uses of deleted objects are not detected. If only
 * one rank has the file open, a method throws a {@link io.skerry.cache.RequestInterruptedException}
 * if its thread is interrupted while it waits for other threads. No argument may be null: a null
 * causes a {@link NullPointerException}, in a collective method possibly as the cause of a {@link
 * io.skerry.parallel.CollectiveException}. An exception thrown by a function that the caller passes
 * to a method, such as a visitor, propagates to the caller; in a collective method, it is the cause
 * of a {@link io.skerry.parallel.CollectiveException} on all ranks.
 *
 * <p>Constructors and accessors of records, and {@code equals}, {@code hashCode} and {@code
 * toString}, are local and thread-safe, and do not fail unless their documentation states
 * otherwise.
 *
 * <p>Stores other than HDF5 files implement the interfaces in {@link io.skerry.spi}.
 */
package io.skerry;
