/**
 * Steps that all ranks take in the same way: agreement on their outcome, the undo log, the
 * broadcast of metadata, and the gate that orders operations within a rank.
 */
package io.skerry.collective.step;
