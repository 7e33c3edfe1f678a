package io.skerry.jobs;

import io.skerry.mpi.AgreedFailure;

/** Input that the job cannot use; all ranks see the same input and say so together. */
final class BadInputException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  BadInputException(String message) {
    super(message);
  }
}
