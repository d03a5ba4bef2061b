// Package schedulefile has leader schedules as files and other programs have
// them: [Read] takes every format that schedule.Schedule.Write prints, Parquet,
// and the answers of a validator, told apart by their content; [WriteParquet] and
// [WriteCSV] write the columns that data people want.
//
// What is read is an [Observed]: who somebody else says leads each slot. It may
// have gaps, may be limited to some leaders, and may not know its epoch.
//
// # What cannot be told
//
// Text and CSV say nowhere how long they are: a file that was cut at the end of
// a line is a shorter schedule. A last line without a line end is taken when it
// continues the one before, with the next slot and keys that occurred already;
// otherwise it is an [ErrCutShort]. All other formats have an end.
//
// # Rank files
//
// A rank file (package batch/rankfile) holds many epochs with their stake lists.
// rankfile.File.Schedule has the schedule of one, and [FromSchedule] takes that.
// [ReadRanks] reads bare ranks, which need the stake list that they refer to.
package schedulefile
