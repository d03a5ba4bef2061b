package schedulefile

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// leaderLists reads the object of leaders and their slot indices, whose first
// name, if not nil, has been read.
func (j *jsonReader) leaderLists(first []byte) (*Observed, error) {
	var lists []indexList
	read := func(name []byte) error {
		leader, err := j.b.key(name)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrFormat, err)
		}
		list := indexList{leader: leader}
		err = j.array(func() error {
			i, err := j.uint()
			list.indices = append(list.indices, schedule.Index(i))
			return err
		})
		lists = append(lists, list)
		return err
	}
	if first != nil {
		if err := read(first); err != nil {
			return nil, err
		}
	}
	for {
		more, err := j.more()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		name, err := j.str()
		if err != nil {
			return nil, err
		}
		if err := read(name); err != nil {
			return nil, err
		}
	}
	o, err := j.b.lists(lists, 0)
	if err != nil {
		return nil, err
	}
	o.Format = schedule.FormatRPC
	return o, nil
}

// reply reads a JSON-RPC answer.
func (j *jsonReader) reply(first string) (*Observed, error) {
	var o *Observed
	var failure error
	err := j.each(first, func(name string) (err error) {
		switch name {
		case "result":
			o, failure, err = j.result()
			return err
		case "error":
			if j.d.PeekKind() != 'n' {
				failure, err = j.replyError()
				return err
			}
		}
		return j.d.SkipValue()
	})
	switch {
	case err != nil:
		return nil, err
	case failure != nil:
		return nil, failure
	case o == nil:
		return nil, fmt.Errorf("%w: an answer with neither result nor error", ErrFormat)
	}
	return o, nil
}

// result reads the result of an answer; unavailable is ErrUnavailable when it is
// null.
func (j *jsonReader) result() (o *Observed, unavailable, err error) {
	if j.d.PeekKind() == 'n' {
		return nil, ErrUnavailable, j.d.SkipValue()
	}
	if err := j.open('{'); err != nil {
		return nil, nil, err
	}
	o, err = j.leaderLists(nil)
	return o, nil, err
}

func (j *jsonReader) replyError() (*ReplyError, error) {
	if err := j.open('{'); err != nil {
		return nil, err
	}
	var e ReplyError
	err := j.each("", func(name string) (err error) {
		switch name {
		case "code":
			e.Code, err = j.int()
		case "message":
			var text []byte
			text, err = j.str()
			e.Message = string(text)
		default:
			err = j.d.SkipValue()
		}
		return err
	})
	return &e, err
}
