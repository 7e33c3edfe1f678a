package io.skerry.jobs;

import io.skerry.mpi.AgreedFailure;

/**
 * What keeps a command from being done, for the person who gave it: bad input, an output that
 * cannot be written, a rank that failed. All ranks throw it at the same point.
 */
final class JobException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  JobException(String message) {
    super(message);
  }

  JobException(String message, Throwable cause) {
    super(message, cause);
  }
}
